import type { DiscountType } from '#contract/discounts.ts'
import type { Plan } from '#contract/plans.ts'

/** The card provider takes nothing below this; at the till such a rest is given away (docs/product.md, Money). */
const LEAST_CHARGE = 30

/** What a code takes off a plan; exactly one of `percent` and `amountMinor` is set. */
export interface PlanReduction {
  readonly type: DiscountType
  readonly percent: number | null
  readonly amountMinor: number | null
}

/** Whether a code is for this plan (DISC-06). Of half a year, which is neither, only what is for every membership. */
export const isForPlan = ({ type }: Pick<PlanReduction, 'type'>, plan: Plan): boolean =>
  type === 'all' ||
  type === 'subscription' ||
  (type === 'monthly' && plan.monthly) ||
  (type === 'yearly' && plan.yearly)

/** What a plan costs with a code, in pence, half up (DISC-10): never less than nothing. */
export function planPrice({ priceMinor }: Plan, reduction: PlanReduction | null): number {
  if (reduction === null) return priceMinor
  const { percent, amountMinor } = reduction
  const reduced =
    percent === null
      ? Math.max(0, priceMinor - (amountMinor ?? 0))
      : Math.floor((priceMinor * (100 - percent) + 50) / 100)
  return reduced < LEAST_CHARGE ? 0 : reduced
}
