import type { Subscription, SubscriptionDetails } from '#contract/membership.ts'
import { isJoined, type Plan, type PlanId, planInWords, PLANS, type Tier } from '#contract/plans.ts'
import { memberDiscount, plans } from '#features/shop-details/plans.ts'
import { leadsSomewhere } from '#features/shop-details/shop.ts'
import { longDate, monthYear } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'

/** The order of the plans on the page (MEMB-01, OP-31). */
export const TIERS: readonly Tier[] = ['supporter', 'reader', 'avid']

/** The tier's plan with this billing period, or its only plan if it has just one. */
export const planOf = (tier: Tier, yearly: boolean): Plan => {
  const all = Object.values(plans()).filter((plan) => plan.tier === tier && plan.months !== 6)
  const sold = all.filter(isJoined)
  const fitting = (of: readonly Plan[]) => of.find((plan) => plan.yearly === yearly)
  return fitting(sold) ?? sold[0] ?? fitting(all)!
}

export const tiersSold = (): Tier[] => TIERS.filter((tier) => isJoined(planOf(tier, false)))

export const hasBothRhythms = (): boolean => {
  const sold = Object.values(plans()).filter(isJoined)
  return sold.some(({ monthly }) => monthly) && sold.some(({ yearly }) => yearly)
}

/** The months saved by paying yearly, for the line next to the toggle (MEMB-42). */
export const freeMonths = (tier: Tier): number =>
  12 - planOf(tier, true).priceMinor / planOf(tier, false).priceMinor

export const yearlySaving = (): string | undefined => {
  const inBoth = tiersSold().filter((tier) => planOf(tier, true).yearly && planOf(tier, false).monthly)
  const [first = 0, ...others] = inBoth.map(freeMonths)
  const isSaid = first >= 1 && Number.isInteger(first) && others.every((months) => months === first)
  return isSaid ? `${first} ${first === 1 ? 'month' : 'months'} free` : undefined
}

const offTheCollection = (): string[] =>
  memberDiscount() > 0 ? [`Up to ${memberDiscount()}% off the collection`] : []

/** The benefits of every member (MEMB-02), except those of parts that the shop lacks and of empty lists. */
export const benefits = (): string[] => [
  ...offTheCollection(),
  ...(Object.values(plans()).some(({ sold, creditsPerMonth }) => sold && creditsPerMonth > 0)
    ? [`Free audiobooks each month${hasHighlights() ? ' from the current highlights' : ''}`]
    : []),
  ...ofTheJournal('Full access to editorial content', 'Subscriber-only event invitations'),
]

const hasHighlights = (): boolean => leadsSomewhere('/subscriber-selection')
const ofTheJournal = (...lines: string[]): string[] => (leadsSomewhere('/murmurations') ? lines : [])

interface Promises {
  readonly first: string
  readonly ticks: readonly string[]
}

/**
 * One benefit in bold, and at most four ticks below it (MEMB-02, MEMB-03, MEMB-08): the owner's own texts, if
 * set.
 */
export function promisesOf({ tier, texts, creditsPerMonth }: Plan): Promises {
  if (texts) return { first: texts[0] ?? '', ticks: texts.slice(1) }
  if (tier === 'supporter' && creditsPerMonth === 0)
    return {
      first: journalAndPrices('Most'),
      ticks: [
        ...offTheCollection(),
        ...ofTheJournal('Articles and recordings for members', 'Subscriber-only event invitations'),
      ],
    }
  const below = planOf('supporter', false)
  return {
    first: perMonth(creditsPerMonth),
    ticks: [
      ...(creditsPerMonth > 0 ? [chosenFrom(creditsPerMonth)] : []),
      ...ofTheJournal('Full access to editorial content'),
      ...(tier !== 'supporter' && isJoined(below) ? [`Everything in ${below.type}`] : offTheCollection()),
    ],
  }
}

const journalAndPrices = (howMuch: string): string =>
  leadsSomewhere('/murmurations')
    ? `${howMuch} of the journal, and lower prices.`
    : memberDiscount() > 0
      ? 'Lower prices on the whole shelf.'
      : 'Keeps the shop going.'

const chosenFrom = (count: number): string =>
  `${count === 1 ? 'Chosen' : count === 2 ? 'Both chosen' : 'All chosen'} by you${hasHighlights() ? ' from the current highlights' : ''}`

const perMonth = (count: number): string => {
  if (count === 0) return journalAndPrices('All')
  // The specification's own spelling, for its own plan (MEMB-08).
  if (plans() === PLANS && count === 2) return '2 free audiobook every month'
  return `${count} free audiobook${count === 1 ? '' : 's'} every month`
}

/** The checkout's plan for the simpler page (MEMB-22, OP-34). */
export const simplerChoice = (unit: 'month' | 'year'): PlanId | undefined =>
  SIMPLER[unit].find((id) => isJoined(plans()[id]))

const SIMPLER = { month: [4, 6, 1], year: [5, 7, 2] } as const

/**
 * The label of a plan's button, for a member with the plan `current` or for a non-member (MEMB-14 to
 * MEMB-18).
 */
export function offerOf(
  plan: Plan,
  current: number | undefined,
): 'Get plan' | 'Your plan' | 'Upgrade' | 'Downgrade' | 'Switch to yearly' | 'Switch to monthly' {
  const currentPlan = Object.values(plans()).find(({ id }) => id === current)
  if (!currentPlan) return 'Get plan'
  if (currentPlan.id === plan.id) return 'Your plan'
  if (currentPlan.tier === plan.tier) return plan.yearly ? 'Switch to yearly' : 'Switch to monthly'
  return TIERS.indexOf(plan.tier) > TIERS.indexOf(currentPlan.tier) ? 'Upgrade' : 'Downgrade'
}

/** "a month", after a price. */
export const rhythmOf = (id: PlanId): string =>
  PLANS[id].monthly ? 'a month' : PLANS[id].yearly ? 'a year' : 'for six months'

export function stateOf({ subscription, failedPayment }: SubscriptionDetails) {
  if (failedPayment) return 'failed'
  if (subscription.canceledAt) return 'cancelled'
  if (subscription.gift) return 'gifted'
  return subscription.status === 'trialing' ? 'trial' : 'active'
}

/** "Reader, monthly, active since March 2026", "Reader, monthly, cancelled". */
export function membershipInWords(details: SubscriptionDetails): string {
  const { plan, orderDate } = details.subscription
  const words = planInWords(plans()[plan])
  if (details.disputedSince) return `${words}, on hold`
  const state = stateOf(details)
  return `${words}, ${state === 'active' ? `active since ${monthYear(orderDate)}` : STATES[state]}`
}

const STATES = {
  trial: 'free trial',
  failed: 'payment failed',
  cancelled: 'cancelled',
  gifted: 'a gift',
} as const

/** "£8.00 on 3rd December 2026"; '' if nothing is due and nothing ends. */
export function nextSumInWords(details: SubscriptionDetails): string {
  const { subscription, nextPayment, failedPayment } = details
  if (details.disputedSince) return ''
  if (failedPayment) return failedPayment.amount ? `${amount(toMinor(failedPayment.amount))} to pay` : ''
  if (nextPayment && stateOf(details) !== 'cancelled')
    return `${amount(toMinor(nextPayment.amount))} on ${longDate(nextPayment.at)}`
  return subscription.validUntil ? `Yours until ${longDate(subscription.validUntil)}` : ''
}

/** Only a membership that renews can be cancelled (MEMB-32). */
export const canCancel = ({ subscription, nextPayment, failedPayment }: SubscriptionDetails): boolean =>
  !subscription.gift &&
  subscription.canceledAt === null &&
  (nextPayment !== null || failedPayment !== null || subscription.payment !== null)

/** A PayPal member may change the payment method after a failed payment (MEMB-33, MEMB-49). */
export const canUpdatePayment = ({ subscription, failedPayment }: SubscriptionDetails): boolean =>
  !subscription.gift &&
  subscription.canceledAt === null &&
  subscription.payment !== null &&
  (subscription.payment.type === 'card' || failedPayment !== null)

/** A cancelled membership must be resumed first, and a failed payment paid. A gift can't be changed. */
export const canChange = (details: SubscriptionDetails): boolean =>
  ['active', 'trial'].includes(stateOf(details)) && details.subscription.payment !== null

export function promiseInShort({ tier, texts, creditsPerMonth }: Plan): string {
  if (texts?.[0]) return texts[0]
  if (creditsPerMonth > 0)
    return `${creditsPerMonth} free audiobook${creditsPerMonth === 1 ? '' : 's'} every month`
  return tier === 'supporter' ? 'Lower prices and members’ recordings' : 'Lower prices and the whole journal'
}

export const methodInWords = ({ payment, cardLast4 }: Subscription): string =>
  payment?.type === 'paypal' ? 'PayPal' : cardLast4 ? `Card ending ${cardLast4}` : 'Card'
