import { PLANS, type Plan, type Tier } from '#contract/plans.ts'

/** What the page sells, in the order in which it is drawn (MEMB-01, OP-31). */
export const TIERS: readonly Tier[] = ['supporter', 'reader', 'avid']

export const planOf = (tier: Tier, yearly: boolean): Plan =>
  Object.values(PLANS).find((plan) => plan.tier === tier && (yearly ? plan.yearly : plan.monthly))!

/** Months that a year's price leaves unpaid, for the line beside the toggle (MEMB-42). */
export const freeMonths = (tier: Tier): number =>
  12 - planOf(tier, true).priceMinor / planOf(tier, false).priceMinor

/** What every member has (MEMB-02). */
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

/** What a plan's button says to somebody who has `current`, or to somebody who has none (MEMB-14 to MEMB-18). */
export function offerOf(
  plan: Plan,
  current: number | undefined,
): 'Get plan' | 'Your plan' | 'Upgrade' | 'Downgrade' {
  const held = Object.values(PLANS).find(({ id }) => id === current)
  if (!held) return 'Get plan'
  if (held.tier === plan.tier) return 'Your plan'
  return TIERS.indexOf(plan.tier) > TIERS.indexOf(held.tier) ? 'Upgrade' : 'Downgrade'
}
