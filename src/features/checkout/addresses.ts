import type { NavigateOptions } from '@tanstack/react-router'
import { isJoined, type PlanId } from '#contract/plans.ts'
import { givenPlan, type Occasion } from '#features/gifts/occasions.ts'
import { plans } from '#features/shop-details/plans.ts'
import type { MembershipPaid } from './purchase.ts'

/**
 * What is bought, if it is not the bag: a plan, or a new card for a membership (OP-10: both survive a
 * reload).
 */
export interface CheckoutSearch {
  plan?: PlanId
  gift?: Occasion
  'update-card'?: 1
  subscription?: string
  confirm?: 1
  /** The bag, with a membership. */
  join?: 1
  /** The page with the press whose payment with a saved card the bank wants confirmed: a title's, or the bag. */
  authenticate?: string
}

/** The six-month plan is sold only as a gift; at Christmas only two plans are. */
export function checkoutSearch(search: { readonly [K in keyof CheckoutSearch]: unknown }): CheckoutSearch {
  const { plan, gift, subscription, authenticate } = search
  if (
    typeof authenticate === 'string' &&
    /^\/(shopping-bag|(audiobooks|ebooks)\/[a-z0-9-]+)$/.test(authenticate)
  )
    return { authenticate }
  if (Number(search['update-card']) === 1 && typeof subscription === 'string')
    return { 'update-card': 1, subscription, ...(Number(search.confirm) === 1 ? { confirm: 1 } : {}) }
  if (gift === 'gift' || gift === 'xmas') return { plan: givenPlan(plan, gift), gift }
  const bought = Object.values(plans()).find((each) => each.id === Number(plan) && isJoined(each))
  if (bought) return { plan: bought.id }
  return Number(search.join) === 1 ? { join: 1 } : {}
}

/**
 * Parameters that Stripe adds to the return URL: the payment, and the secret that proves ownership (ROLE-22).
 */
export interface ReturnProof {
  payment_intent?: string
  payment_intent_client_secret?: string
  /** The set-up intent of a card or PayPal account that is stored and not charged. */
  setup_intent?: string
  setup_intent_client_secret?: string
  /** `failed` after PayPal; only a hint for wording, never for what was paid (trap 26). */
  redirect_status?: string
}

export function returnSearch(search: { readonly [K in keyof ReturnProof]?: unknown }): ReturnProof {
  const {
    payment_intent,
    payment_intent_client_secret,
    setup_intent,
    setup_intent_client_secret,
    redirect_status,
  } = search
  return {
    ...(isIntent(payment_intent) ? { payment_intent } : {}),
    ...(isSecret(payment_intent_client_secret) ? { payment_intent_client_secret } : {}),
    ...(isSetUp(setup_intent) ? { setup_intent } : {}),
    ...(isSecret(setup_intent_client_secret) ? { setup_intent_client_secret } : {}),
    ...(typeof redirect_status === 'string' ? { redirect_status } : {}),
  }
}

const isIntent = (value: unknown): value is string =>
  typeof value === 'string' && /^pi_[A-Za-z0-9_]{1,190}$/.test(value)
const isSetUp = (value: unknown): value is string =>
  typeof value === 'string' && /^seti_[A-Za-z0-9_]{1,190}$/.test(value)
const isSecret = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 400

export const hasProof = (proof: ReturnProof): boolean =>
  proof.payment_intent !== undefined && proof.payment_intent_client_secret !== undefined

export const isGift = (
  membership: MembershipPaid | undefined,
): membership is MembershipPaid & { readonly kind: Occasion } =>
  membership?.kind === 'gift' || membership?.kind === 'xmas'

interface Paid {
  readonly order: string
  readonly secret: string | null
  readonly newUser: boolean
  readonly membership?: MembershipPaid | undefined
  readonly done?: string | undefined
}

/** The confirmation page of a successful payment, with its parameters (PAY-31 to PAY-34). */
export function confirmationOf({ order, secret, newUser, membership, done }: Paid): NavigateOptions {
  const known = { newUser, ...(secret ? { secret } : {}) }
  if (!membership) return { to: '/payment-successful', state: { ...known, order } }
  if (membership.kind === 'card') return { to: '/subscription-details', ...(done && { state: { done } }) }
  const { plan, recipient = '', day } = membership
  // Also needed for a visitor without an account: the order shows that this browser gave the gift.
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
  readonly joins?: true
  readonly gift?: Occasion
}

/** History state with which "Try again" opens the same checkout. */
export const problemState = (secret: string | null, membership: MembershipPaid | undefined): AnotherTry => ({
  ...(secret ? { secret } : {}),
  ...((membership?.kind === 'plan' && !membership.withBag) || isGift(membership)
    ? { plan: membership.plan }
    : {}),
  ...(membership?.withBag ? { joins: true } : {}),
  ...(membership?.kind === 'trial' ? { trial: true } : {}),
  ...(membership?.kind === 'card' && membership.subscription ? { newCardOf: membership.subscription } : {}),
  ...(isGift(membership) ? { gift: membership.kind } : {}),
})
