import type { BusinessTime } from '../../clock.ts'
import { MEMBER_DISCOUNT } from '#contract/plans.ts'
import { LEAST_CHARGE_MINOR } from '../../integrations/stripe/payments.ts'
import type { Sold, Format, Kind } from '../products/product.ts'
import { type VatRates, USUAL_VAT } from '../../settings/owners-terms.ts'
import { DateTime } from 'luxon'
import type { Config } from '../../settings/config.ts'

/** In pence, rounded up to 10p unless stored. At most the price, at least the price less the discount (MEMB-41). */
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

/** 1499 is 14.99. */
export const pounds = (minor: number): number => minor / 100

export const pence = <Amount extends number | undefined>(amount: Amount): Amount | number =>
  amount === undefined ? amount : Math.round(amount * 100)

/** A percentage of an amount in pence, rounded half up. */
export const shareOf = (minor: number, percent: number): number =>
  Math.floor((2 * minor * percent + 100) / 200)

/** The discount of a code. Exactly one of `percent` and `amountMinor` is set. */
export interface Reduction {
  /** Whether it reduces the sum of the lines that it covers, the cheapest of them, or each one. */
  readonly of: 'total' | 'cheapest' | 'each'
  readonly covers: (sold: Sold) => boolean
  readonly percent: number | null
  readonly amountMinor: number | null
}

type TakenOff = Pick<Reduction, 'percent' | 'amountMinor'>

export interface Line {
  readonly sold: Sold
  /** The price for this buyer before any code, in pence. */
  readonly originalMinor: number
}

interface PricedLine extends Line {
  readonly priceMinor: number
  readonly vatPercent: number
  readonly vatMinor: number
  /** True if the code applies to this line, or if its price differs from the original. */
  readonly reduced: boolean
}

export interface CalculatedPrices<L extends Line> {
  readonly lines: readonly (L & PricedLine)[]
  readonly totalMinor: number
  readonly vatMinor: number
  readonly beforeMinor: number
}

/** In pence, for display and for the charge. Every total is exactly the sum of its lines. */
export function calculatePrices<L extends Line>(
  lines: readonly L[],
  reduction: Reduction | null,
  rates?: VatRates,
): CalculatedPrices<L> {
  const touched = reduction ? touchedBy(reduction, lines) : new Set<number>()
  const wanted = reduction ? reducedPrices(reduction, lines, touched) : originalPrices(lines)
  // The provider refuses such a small charge, so the basket is free (docs/product.md, Money).
  const prices = sumOfPrices(wanted) < LEAST_CHARGE_MINOR ? wanted.map(() => 0) : wanted
  const priced = lines.map((line, index) => {
    const priceMinor = prices[index]!
    const vatPercent = vatPercentOf(line.sold, rates)
    return {
      ...line,
      priceMinor,
      vatPercent,
      vatMinor: vatIn(priceMinor, vatPercent),
      reduced: touched.has(index) || priceMinor !== line.originalMinor,
    }
  })
  return {
    lines: priced,
    totalMinor: sumOfPrices(prices),
    vatMinor: sumOfPrices(priced.map(({ vatMinor }) => vatMinor)),
    beforeMinor: sumOfPrices(originalPrices(lines)),
  }
}

/** The indexes of the lines that a code applies to. A free line cannot get cheaper. */
export function touchedBy({ of, covers }: Reduction, lines: readonly Line[]): Set<number> {
  const covered = [...lines.keys()].filter(
    (index) => lines[index]!.originalMinor > 0 && covers(lines[index]!.sold),
  )
  if (of !== 'cheapest') return new Set(covered)
  const cheapest = covered.reduce<number | undefined>(
    (best, index) =>
      best === undefined || lines[index]!.originalMinor < lines[best]!.originalMinor ? index : best,
    undefined,
  )
  return new Set(cheapest === undefined ? [] : [cheapest])
}

function reducedPrices(reduction: Reduction, lines: readonly Line[], touched: ReadonlySet<number>): number[] {
  const prices = originalPrices(lines)
  if (reduction.of !== 'total')
    return prices.map((price, index) => (touched.has(index) ? reduced(price, reduction) : price))
  const weights = prices.map((price, index) => (touched.has(index) ? price : 0))
  const shares = spread(wholeBag(sumOfPrices(weights), reduction), weights)
  return prices.map((price, index) => (touched.has(index) ? shares[index]! : price))
}

/** A percentage off the whole bag is rounded up to a whole pound, but never above the total (DISC-09). */
function wholeBag(totalMinor: number, { percent, amountMinor }: TakenOff): number {
  if (percent === null) return Math.max(0, totalMinor - (amountMinor ?? 0))
  return Math.min(totalMinor, Math.ceil((totalMinor * (100 - percent)) / 10_000) * 100)
}

export const isRoundedUp = (priced: {
  readonly beforeMinor: number
  readonly totalMinor: number
  readonly percent: number | null
}): boolean => {
  const { beforeMinor, totalMinor, percent } = priced
  return (
    percent !== null &&
    totalMinor === wholeBag(beforeMinor, { percent, amountMinor: null }) &&
    totalMinor * 100 > beforeMinor * (100 - percent)
  )
}

/** A single line, rounded half up to the penny. */
const reduced = (priceMinor: number, { percent, amountMinor }: TakenOff): number =>
  percent === null
    ? Math.max(0, priceMinor - (amountMinor ?? 0))
    : Math.floor((priceMinor * (100 - percent) + 50) / 100)

/** By largest remainder, in proportion to the weights. No line gets more than its weight. */
export function spread(total: number, weights: readonly number[]): number[] {
  const all = sumOfPrices(weights)
  if (all === 0) return weights.map(() => 0)
  const shares = weights.map((weight) => Math.floor((total * weight) / all))
  const left = total - sumOfPrices(shares)
  const byRemainder = [...weights.keys()].sort(
    (one, two) => ((total * weights[two]!) % all) - ((total * weights[one]!) % all),
  )
  for (const index of byRemainder.slice(0, left)) shares[index]! += 1
  return shares
}

const sumOfPrices = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0)

const originalPrices = (lines: readonly Line[]): number[] => lines.map(({ originalMinor }) => originalMinor)

/** On the date in the shop's time zone. An order keeps the rates that it was created with. */
export const ratesAt = (
  { details, shopZone }: Pick<Config, 'details' | 'shopZone'>,
  country: string,
  at: BusinessTime,
): VatRates => details.terms.vatOn(country, DateTime.fromJSDate(at, { zone: shopZone }).toISODate() ?? '')

const RATE_OF = {
  audio_book: 'audiobook',
  e_book: 'ebook',
  membership: 'membership',
  membership_gift: 'membership',
} as const satisfies Record<Format | Exclude<Kind, 'title'>, keyof VatRates>

/** In percent, included in the price (docs/product.md, Money). */
export const vatPercentOf = (sold: Sold, rates: VatRates = USUAL_VAT): number =>
  rates[RATE_OF[sold.kind === 'title' ? sold.format : sold.kind]]

/** The VAT included in a price, rounded half up. */
export const vatIn = (priceMinor: number, percent: number): number =>
  Math.floor((2 * priceMinor * percent + 100 + percent) / (2 * (100 + percent)))
