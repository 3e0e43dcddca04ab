import { LEAST_CHARGE_MINOR } from '../../integrations/stripe/payments.ts'
import type { Sold } from '../products/kinds.ts'
import { vatIn, vatPercentOf } from './vat.ts'
import { type VatRates } from '../../settings/owners-terms.ts'

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

export interface ReckonedLine extends Line {
  readonly priceMinor: number
  readonly vatPercent: number
  /** Included in the price. */
  readonly vatMinor: number
  /** True if the code applies to this line, or if its price differs from the original. */
  readonly reduced: boolean
}

export interface Reckoned<L extends Line> {
  readonly lines: readonly (L & ReckonedLine)[]
  readonly totalMinor: number
  readonly vatMinor: number
  readonly beforeMinor: number
}

/**
 * Calculates the prices of a basket in pence, for display and for the charge. Every total is exactly the sum of its
 * lines. The rates decide the VAT; a caller that needs only the total can omit them.
 */
export function reckon<L extends Line>(
  lines: readonly L[],
  reduction: Reduction | null,
  rates?: VatRates,
): Reckoned<L> {
  const touched = reduction ? touchedBy(reduction, lines) : new Set<number>()
  const wanted = reduction ? lessenedBy(reduction, lines, touched) : originals(lines)
  // The provider refuses such a small charge, so the basket is free (docs/product.md, Money).
  const prices = sum(wanted) < LEAST_CHARGE_MINOR ? wanted.map(() => 0) : wanted
  const reckoned = lines.map((line, index) => {
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
    lines: reckoned,
    totalMinor: sum(prices),
    vatMinor: sum(reckoned.map(({ vatMinor }) => vatMinor)),
    beforeMinor: sum(originals(lines)),
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

function lessenedBy(reduction: Reduction, lines: readonly Line[], touched: ReadonlySet<number>): number[] {
  const prices = originals(lines)
  if (reduction.of !== 'total')
    return prices.map((price, index) => (touched.has(index) ? reduced(price, reduction) : price))
  const weights = prices.map((price, index) => (touched.has(index) ? price : 0))
  const shares = spread(wholeBag(sum(weights), reduction), weights)
  return prices.map((price, index) => (touched.has(index) ? shares[index]! : price))
}

/** A percentage off the whole bag is rounded up to a whole pound, but never above the total (DISC-09). */
function wholeBag(totalMinor: number, { percent, amountMinor }: TakenOff): number {
  if (percent === null) return Math.max(0, totalMinor - (amountMinor ?? 0))
  return Math.min(totalMinor, Math.ceil((totalMinor * (100 - percent)) / 10_000) * 100)
}

/** True if rounding made a percentage off the whole bag smaller than it says. */
export const isRoundedUp = (reckoned: {
  readonly beforeMinor: number
  readonly totalMinor: number
  readonly percent: number | null
}): boolean => {
  const { beforeMinor, totalMinor, percent } = reckoned
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

/**
 * Distributes a total over lines in proportion to their weights, by largest remainder. No line gets more than its
 * weight.
 */
export function spread(total: number, weights: readonly number[]): number[] {
  const all = sum(weights)
  if (all === 0) return weights.map(() => 0)
  const shares = weights.map((weight) => Math.floor((total * weight) / all))
  const left = total - sum(shares)
  const byRemainder = [...weights.keys()].sort(
    (one, two) => ((total * weights[two]!) % all) - ((total * weights[one]!) % all),
  )
  for (const index of byRemainder.slice(0, left)) shares[index]! += 1
  return shares
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)

const originals = (lines: readonly Line[]): number[] => lines.map(({ originalMinor }) => originalMinor)
