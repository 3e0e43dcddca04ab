import type { NavigateOptions } from '@tanstack/react-router'
import type { PlanId } from '#contract/plans.ts'
import type { MembershipPaid } from './purchase.ts'
import type { Occasion } from '#features/gifts/occasions.ts'

export const isGift = (
  membership: MembershipPaid | undefined,
): membership is MembershipPaid & { readonly kind: Occasion } =>
  membership?.kind === 'gift' || membership?.kind === 'xmas'

interface Paid {
  readonly order: string
  readonly secret: string | null
  readonly newUser: boolean
  readonly membership?: MembershipPaid | undefined
  /** The deed, to be said there. */
  readonly done?: string | undefined
}

/** The page after a payment that went through, with what is known of it (PAY-31 to PAY-34). */
export function confirmationOf({ order, secret, newUser, membership, done }: Paid): NavigateOptions {
  const known = { newUser, ...(secret ? { secret } : {}) }
  if (!membership) return { to: '/payment-successful', state: { ...known, order } }
  if (membership.kind === 'card') return { to: '/subscription-details', ...(done && { state: { done } }) }
  const { plan, recipient = '', day } = membership
  // Also of a visitor who stays one: the order says that this browser gave it.
  const given = { ...known, order }
  if (membership.kind === 'xmas')
    return {
      to: '/xmas-successful-gift',
      search: { recipient, type: String(plan) },
      state: { ...given, ...(day && { day }) },
    }
  if (membership.kind === 'gift')
    return {
      to: '/subscription-successful-gift',
      state: { ...given, subscriptionId: order, recipientName: recipient, plan },
    }
  return {
    to: membership.kind === 'trial' ? '/subscription-successful-trial' : '/subscription-successful',
    state: { ...known, subscriptionId: order, plan },
  }
}

interface AnotherTry {
  readonly secret?: string
  readonly plan?: PlanId
  readonly trial?: boolean
  readonly newCardOf?: string
  readonly gift?: Occasion
}

/** Another try needs this to open the same checkout. */
export const problemState = (secret: string | null, membership: MembershipPaid | undefined): AnotherTry => ({
  ...(secret ? { secret } : {}),
  ...(membership?.kind === 'plan' || isGift(membership) ? { plan: membership.plan } : {}),
  ...(membership?.kind === 'trial' ? { trial: true } : {}),
  ...(membership?.kind === 'card' && membership.subscription ? { newCardOf: membership.subscription } : {}),
  ...(isGift(membership) ? { gift: membership.kind } : {}),
})
