import type { SubscriptionDetails } from '#contract/membership.ts'
import { PLANS, type Plan, type PlanId, type Tier } from '#contract/plans.ts'

/** The plans on the page, in the order in which they are drawn (MEMB-01, OP-31). */
export const TIERS: readonly Tier[] = ['supporter', 'reader', 'avid']

export const planOf = (tier: Tier, yearly: boolean): Plan =>
  Object.values(PLANS).find((plan) => plan.tier === tier && (yearly ? plan.yearly : plan.monthly))!

/** Months that a year's price leaves unpaid, for the line beside the toggle (MEMB-42). */
export const freeMonths = (tier: Tier): number =>
  12 - planOf(tier, true).priceMinor / planOf(tier, false).priceMinor

/** The benefits of every member (MEMB-02). */
export const BENEFITS = [
  'Up to 20% off the collection',
  'Free audiobooks each month from the current highlights',
  'Full access to editorial content',
  'Subscriber-only event invitations',
] as const

/** One promise in bold, and at most four ticks below it (MEMB-02, MEMB-03, MEMB-08). */
export const PROMISES: Readonly<Record<Tier, { first: string; ticks: readonly string[] }>> = {
  supporter: {
    first: 'Most of the journal, and lower prices.',
    ticks: [
      'Up to 20% off the collection',
      'Articles and recordings for members',
      'Subscriber-only event invitations',
    ],
  },
  reader: {
    first: '1 free audiobook every month',
    ticks: [
      'Chosen by you from the current highlights',
      'Full access to editorial content',
      'Everything in Supporter',
    ],
  },
  avid: {
    first: '2 free audiobook every month',
    ticks: [
      'Both chosen by you from the current highlights',
      'Full access to editorial content',
      'Everything in Supporter',
    ],
  },
}

/** The simpler page's choice for the checkout (MEMB-22, OP-34). */
export const SIMPLER_CHOICE = { month: 4, year: 5 } as const

/** The label of a plan's button for somebody who has `current`, or for somebody who has none (MEMB-14 to MEMB-18). */
export function offerOf(
  plan: Plan,
  current: number | undefined,
): 'Get plan' | 'Your plan' | 'Upgrade' | 'Downgrade' | 'Switch to yearly' | 'Switch to monthly' {
  const currentPlan = Object.values(PLANS).find(({ id }) => id === current)
  if (!currentPlan) return 'Get plan'
  if (currentPlan.id === plan.id) return 'Your plan'
  if (currentPlan.tier === plan.tier) return plan.yearly ? 'Switch to yearly' : 'Switch to monthly'
  return TIERS.indexOf(plan.tier) > TIERS.indexOf(currentPlan.tier) ? 'Upgrade' : 'Downgrade'
}

/** "a month", after a sum. */
export const rhythmOf = (id: PlanId): string =>
  PLANS[id].monthly ? 'a month' : PLANS[id].yearly ? 'a year' : 'for six months'

/** The subjects of the first sections (docs/design.md, Screens). */
export function stateOf({ subscription, failedPayment }: SubscriptionDetails) {
  if (failedPayment) return 'failed'
  if (subscription.canceledAt) return 'cancelled'
  if (subscription.gift) return 'gifted'
  return subscription.status === 'trialing' ? 'trial' : 'active'
}

/** Only what renews can be stopped (MEMB-32). */
export const canCancel = ({ subscription, nextPayment, failedPayment }: SubscriptionDetails): boolean =>
  !subscription.gift &&
  subscription.canceledAt === null &&
  (nextPayment !== null || failedPayment !== null || subscription.payment !== null)

/** A PayPal member may pay another way once a payment failed (MEMB-33, MEMB-49). */
export const canUpdatePayment = ({ subscription, failedPayment }: SubscriptionDetails): boolean =>
  !subscription.gift &&
  subscription.canceledAt === null &&
  subscription.payment !== null &&
  (subscription.payment.type === 'card' || failedPayment !== null)

/** Cancelled: resume first. With a failed payment: pay first. A gift stays what it is. */
export const canChange = (details: SubscriptionDetails): boolean =>
  ['active', 'trial'].includes(stateOf(details)) && details.subscription.payment !== null

/** The same in a line, where there is little room. */
export const SHORT = {
  supporter: 'Lower prices and members’ recordings',
  reader: PROMISES.reader.first,
  avid: '2 free audiobooks every month',
} as const
