import type { NavigateOptions } from '@tanstack/react-router'
import type {} from '#app/history-state.ts'
import type { MembershipPaid } from '#features/checkout/purchase.ts'

interface Paid {
  readonly order: string
  readonly secret: string | null
  readonly newUser: boolean
  readonly membership?: MembershipPaid | undefined
}

/** Where a payment leads that went through, with what is known of it (PAY-31, PAY-32). */
export function confirmationOf({ order, secret, newUser, membership }: Paid): NavigateOptions {
  const known = { newUser, ...(secret ? { secret } : {}) }
  if (!membership) return { to: '/payment-successful', state: { ...known, order } }
  if (membership.kind === 'card') return { to: '/subscription-details' }
  return {
    to: membership.kind === 'trial' ? '/subscription-successful-trial' : '/subscription-successful',
    state: { ...known, subscriptionId: order, plan: membership.plan },
  }
}

/** What another try needs to open the same till. */
export const problemState = (secret: string | null, membership: MembershipPaid | undefined) => ({
  ...(secret ? { secret } : {}),
  ...(membership?.kind === 'plan' ? { plan: membership.plan } : {}),
  ...(membership?.kind === 'trial' ? { trial: true } : {}),
  ...(membership?.kind === 'card' && membership.subscription ? { newCardOf: membership.subscription } : {}),
})
