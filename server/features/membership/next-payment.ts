import { type PlanId, type Plans, PLANS } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import { calculatePrices } from '../prices/pricing.ts'
import { hasDiscountEnded } from './months.ts'
import type { SubscriptionRow } from './queries.ts'

export interface NextPayment {
  readonly at: Date
  readonly plan: PlanId
  readonly amountMinor: number
}

/** Null if nothing renews. Prefers the provider's amount, which is what will be charged. */
export function nextPaymentOf(row: SubscriptionRow, plans = PLANS): NextPayment | null {
  const renews = !row.gift && row.paymentType !== null && row.canceledAt === null
  if (!renews || (row.status !== 'active' && row.status !== 'trialing')) return null
  const at = row.status === 'trialing' ? (row.trialEndsAt ?? row.periodEnd) : row.periodEnd
  const plan = row.pendingPlan ?? row.plan
  return { at, plan, amountMinor: row.nextMinor ?? renewalPriceAt(row, plans, { at, plan }) }
}

/** In pence. Members keep the price at which they joined, even if the plan's price has changed since. */
export const renewalPrice = (
  { plan, pendingPlan, priceMinor }: Pick<SubscriptionRow, 'plan' | 'pendingPlan' | 'priceMinor'>,
  plans: Plans,
): number => (pendingPlan === null ? (priceMinor ?? plans[plan].priceMinor) : plans[pendingPlan].priceMinor)

function renewalPriceAt(
  row: SubscriptionRow,
  plans: Plans,
  { at, plan }: Pick<NextPayment, 'at' | 'plan'>,
): number {
  const originalMinor = renewalPrice(row, plans)
  const { percentDiscount, discountDuration, discountDurationMonths, orderedAt } = row
  if (percentDiscount === null) return originalMinor
  const discount = { duration: discountDuration ?? 'once', count: discountDurationMonths } as const
  const ended = hasDiscountEnded(discount, PLANS[row.plan], orderedAt, at)
  if (ended) return originalMinor
  const line = { sold: { kind: 'membership' as const, plan }, originalMinor }
  return calculatePrices([line], {
    of: 'each',
    covers: () => true,
    percent: percentDiscount,
    amountMinor: null,
  }).totalMinor
}

export interface PlannedChange {
  readonly plan: PlanId
  readonly at: Date
}

export const plannedChange = ({ pendingPlan, pendingAt }: SubscriptionRow): PlannedChange | null =>
  pendingPlan === null || pendingAt === null ? null : { plan: pendingPlan, at: pendingAt }

export const droppedChange = (
  { plan, pendingPlan, droppedPlan, droppedAt }: SubscriptionRow,
  now: BusinessTime,
): PlannedChange | null =>
  pendingPlan !== null ||
  droppedPlan === null ||
  droppedPlan === plan ||
  droppedAt === null ||
  droppedAt <= now
    ? null
    : { plan: droppedPlan, at: droppedAt }
