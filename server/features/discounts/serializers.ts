import { DISCOUNT_REFUSALS } from '#contract/messages.ts'
import type { AppliedDiscount, Discount, PlanDiscount } from '#contract/discounts.ts'
import type { Plan } from '#contract/plans.ts'
import { isRoundedUp } from '../prices/pricing.ts'
import type { DiscountRow } from './queries.ts'
import type { ResolvedCode } from './service.ts'

export const discountView = (row: DiscountRow, active: boolean): Discount => ({
  '@context': '/api/contexts/Discount',
  '@id': `/api/discounts/${encodeURIComponent(row.code)}`,
  '@type': 'Discount',
  discount_code: row.code,
  discount_type: row.type,
  active,
  ...amounts(row),
})

export const appliedDiscount = (
  row: DiscountRow,
  { beforeMinor, totalMinor }: { beforeMinor: number; totalMinor: number },
): AppliedDiscount => ({
  discount_code: row.code,
  discount_type: row.type,
  ...amounts(row),
  saved: (beforeMinor - totalMinor) / 100,
  rounded: row.type === 'all' && isRoundedUp({ beforeMinor, totalMinor, percent: row.percent }),
})

export function planDiscountView(
  { id, priceMinor }: Plan,
  resolved: ResolvedCode,
  { totalMinor, vatMinor }: { totalMinor: number; vatMinor: number },
): PlanDiscount {
  const row = 'row' in resolved ? resolved.row : null
  return {
    valid: row !== null,
    message: 'refused' in resolved ? DISCOUNT_REFUSALS[resolved.refused] : null,
    plan: id,
    price: priceMinor / 100,
    discountPrice: totalMinor / 100,
    vat: vatMinor / 100,
    ...(row ? amounts(row) : { relative_discount: null, discount_amount: null }),
    discountDuration: row && (row.duration ?? 'once'),
    discountDurationMonths: row && row.durationMonths,
    free: row !== null && totalMinor === 0,
  }
}

const amounts = ({ percent, amountMinor }: DiscountRow) => ({
  relative_discount: percent,
  discount_amount: amountMinor === null ? null : amountMinor / 100,
})
