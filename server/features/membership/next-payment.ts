import { PLANS, type PlanId } from '#contract/plans.ts'
import { reckon } from '../prices/rules.ts'
import { hasDiscountEnded } from './calendar.ts'
import type { SubscriptionRow } from './rows.ts'

export interface NextPayment {
  readonly at: Date
  readonly plan: PlanId
  /** In pence. */
  readonly amountMinor: number
}

/**
 * The next charge and its day; null where nothing is: given, paid whole by a code, cancelled, or waiting for a
 * payment. The provider's own figure wins where it is known; it is what is charged.
 */
export function nextPaymentOf(row: SubscriptionRow): NextPayment | null {
  const renews = !row.gift && row.paymentType !== null && row.canceledAt === null
  if (!renews || (row.status !== 'active' && row.status !== 'trialing')) return null
  const at = row.status === 'trialing' ? (row.trialEndsAt ?? row.periodEnd) : row.periodEnd
  const plan = PLANS[row.pendingPlan ?? row.plan]
  return { at, plan: plan.id, amountMinor: row.nextMinor ?? priceAt(row, plan.id, at) }
}

function priceAt(row: SubscriptionRow, id: PlanId, at: Date): number {
  const plan = PLANS[id]
  const { percentDiscount, discountDuration, discountDurationMonths, orderedAt } = row
  if (percentDiscount === null) return plan.priceMinor
  const discount = { duration: discountDuration ?? 'once', count: discountDurationMonths } as const
  const ended = hasDiscountEnded(discount, PLANS[row.plan], orderedAt, at)
  if (ended) return plan.priceMinor
  const line = { sold: { kind: 'membership' as const, plan: id }, originalMinor: plan.priceMinor }
  return reckon([line], { of: 'each', covers: () => true, percent: percentDiscount, amountMinor: null })
    .totalMinor
}
