import { LEAST_CHARGE_MINOR } from '../../integrations/stripe/payments.ts'
import type { Sold } from '../products/kinds.ts'
import { vatIn, vatPercentOf } from './vat.ts'
import { type VatRates } from '../../settings/owners-terms.ts'

/** The reduction by a code; exactly one of `percent` and `amountMinor` is set. */
export interface Reduction {
  /** From the sum of the lines that it covers, from the cheapest of them, or from each by itself. */
  readonly of: 'total' | 'cheapest' | 'each'
  readonly covers: (sold: Sold) => boolean
  readonly percent: number | null
  readonly amountMinor: number | null
}

type TakenOff = Pick<Reduction, 'percent' | 'amountMinor'>

export interface Line {
  readonly sold: Sold
  /** For this buyer, before any code. */
  readonly originalMinor: number
}

export interface ReckonedLine extends Line {
  readonly priceMinor: number
  readonly vatPercent: number
  /** Included in the price. */
  readonly vatMinor: number
  /** True if the code touches this line. */
  readonly reduced: boolean
}

export interface Reckoned<L extends Line> {
  /** In the order given. */
  readonly lines: readonly (L & ReckonedLine)[]
  readonly totalMinor: number
  readonly vatMinor: number
  readonly beforeMinor: number
}

/**
 * The price of a basket, in pence: shown and charged alike. Every sum is that of its lines, to the penny. The rates say how much of
 * it is VAT; who asks for the total alone needs none.
 */
export function reckon<L extends Line>(
  lines: readonly L[],
  reduction: Reduction | null,
  rates?: VatRates,
): Reckoned<L> {
  const touched = reduction ? touchedBy(reduction, lines) : new Set<number>()
  const wanted = reduction ? lessenedBy(reduction, lines, touched) : originals(lines)
  // A sum that the provider would not take is given away (docs/product.md, Money).
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

/** Places of the lines that a code touches. A free line cannot cost less. */
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

/** A percentage of the whole bag is rounded up to a whole pound, and never makes it dearer (DISC-09). */
function wholeBag(totalMinor: number, { percent, amountMinor }: TakenOff): number {
  if (percent === null) return Math.max(0, totalMinor - (amountMinor ?? 0))
  return Math.min(totalMinor, Math.ceil((totalMinor * (100 - percent)) / 10_000) * 100)
}

/** True if a percentage of the whole bag took off less than it says. */
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

/** One line alone, to the penny, half up. */
const reduced = (priceMinor: number, { percent, amountMinor }: TakenOff): number =>
  percent === null
    ? Math.max(0, priceMinor - (amountMinor ?? 0))
    : Math.floor((priceMinor * (100 - percent) + 50) / 100)

/** A total over lines in proportion to their weights, by largest remainder; no line gets more than its weight. */
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
