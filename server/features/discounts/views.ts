import type { AppliedDiscount, Discount } from '#contract/discounts.ts'
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

export const appliedDiscount = (row: DiscountRow, savedMinor: number): AppliedDiscount => ({
  discount_code: row.code,
  discount_type: row.type,
  ...amounts(row),
  saved: savedMinor / 100,
})

const amounts = ({ percent, amountMinor }: DiscountRow) => ({
  relative_discount: percent,
  discount_amount: amountMinor === null ? null : amountMinor / 100,
})
