import { MEMBER_DISCOUNT } from '#contract/plans.ts'

/**
 * A member's price in pence: the stored one, or else the price less the member's discount, rounded up to 10p. Never
 * above the price (docs/product.md, Money), and never below the price less that discount (MEMB-41).
 */
export function memberPrice(
  priceMinor: number,
  memberPriceMinor: number | null,
  offPercent = MEMBER_DISCOUNT,
): number {
  // Multiplied by 100, because fractions would drift: 80% of 1499 is 1199.2.
  const left = priceMinor * (100 - offPercent)
  const usual = Math.ceil(left / 1000) * 10
  const least = Math.ceil(left / 100)
  return Math.min(Math.max(memberPriceMinor ?? usual, least), priceMinor)
}

/** Pence as pounds for the API: 1499 is 14.99. */
export const pounds = (minor: number): number => minor / 100

/** Pounds from the API as pence: 14.99 is 1499. Undefined stays undefined. */
export const pence = <Amount extends number | undefined>(amount: Amount): Amount | number =>
  amount === undefined ? amount : Math.round(amount * 100)

/** A percentage of an amount in pence, rounded half up. */
export const shareOf = (minor: number, percent: number): number =>
  Math.floor((2 * minor * percent + 100) / 200)
