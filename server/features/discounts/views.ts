import type { AppliedDiscount, Discount } from '#contract/discounts.ts'
import { isRoundedUp } from '../prices/rules.ts'
import type { DiscountRow } from './rows.ts'

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

const amounts = ({ percent, amountMinor }: DiscountRow) => ({
  relative_discount: percent,
  discount_amount: amountMinor === null ? null : amountMinor / 100,
})
