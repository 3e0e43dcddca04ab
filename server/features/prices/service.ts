import { MEMBER_DISCOUNT } from '#contract/plans.ts'

/**
 * A member's price, in pence: the stored one, else the price less the member's discount rounded up to 10p, never above the price
 * (docs/product.md, Money) and never further below it than that discount (MEMB-41).
 */
export function memberPrice(
  priceMinor: number,
  memberPriceMinor: number | null,
  offPercent = MEMBER_DISCOUNT,
): number {
  // In whole pence times a hundred: 80% of 1499 is 1199.2, and only integers round without drift.
  const left = priceMinor * (100 - offPercent)
  const usual = Math.ceil(left / 1000) * 10
  const least = Math.ceil(left / 100)
  return Math.min(Math.max(memberPriceMinor ?? usual, least), priceMinor)
}

/** Pence as the wire carries them: 1499 is 14.99. */
export const pounds = (minor: number): number => minor / 100

/** Pounds of the wire in pence: 14.99 is 1499. A sum that was not sent stays undefined. */
export const pence = <Amount extends number | undefined>(amount: Amount): Amount | number =>
  amount === undefined ? amount : Math.round(amount * 100)

/** So many per cent of an amount in pence, rounded half up. */
export const shareOf = (minor: number, percent: number): number =>
  Math.floor((2 * minor * percent + 100) / 200)
