/** What a code takes off; exactly one of `percent` and `amountMinor` is set. */
export interface Reduction {
  readonly type: 'all' | 'cheapest_book' | 'book'
  readonly percent: number | null
  readonly amountMinor: number | null
  /** Of type `book`. */
  readonly bookIds: readonly number[]
}

export interface Line {
  readonly bookId: number
  /** For this buyer, before any code. */
  readonly originalMinor: number
  readonly vatPercent: number
}

export interface ReckonedLine extends Line {
  readonly priceMinor: number
  /** Included in the price. */
  readonly vatMinor: number
  /** Whether the code touches this line. */
  readonly reduced: boolean
}

export interface Reckoned<L extends Line> {
  /** In the order given. */
  readonly lines: readonly (L & ReckonedLine)[]
  readonly totalMinor: number
  readonly vatMinor: number
  readonly beforeMinor: number
}

/** The card provider takes nothing below this; such a rest is given away (docs/product.md, Money). */
const LEAST_CHARGE = 30

/**
 * What a bag costs, in pence: shown and charged alike. Every sum is that of its lines, to the penny.
 */
export function reckon<L extends Line>(lines: readonly L[], reduction: Reduction | null): Reckoned<L> {
  const before = sum(lines.map(({ originalMinor }) => originalMinor))
  const touched = reduction ? touchedBy(reduction, lines) : new Set<number>()
  const own = lines.map((line, index) =>
    reduction && reduction.type !== 'all' && touched.has(index)
      ? reduced(line.originalMinor, reduction)
      : line.originalMinor,
  )
  const wanted = reduction?.type === 'all' ? wholeBag(before, reduction) : sum(own)
  const total = wanted < LEAST_CHARGE ? 0 : wanted
  const prices = total === sum(own) ? own : spread(total, own)
  return {
    lines: lines.map((line, index) => ({
      ...line,
      priceMinor: prices[index]!,
      vatMinor: vatIn(prices[index]!, line.vatPercent),
      reduced: touched.has(index) || prices[index] !== line.originalMinor,
    })),
    totalMinor: total,
    vatMinor: sum(prices.map((price, index) => vatIn(price, lines[index]!.vatPercent))),
    beforeMinor: before,
  }
}

/** Places of the lines that a code reduces by itself; of a whole-bag code, all of them. */
export function touchedBy(reduction: Reduction, lines: readonly Line[]): Set<number> {
  const all = [...lines.keys()].filter((index) => lines[index]!.originalMinor > 0)
  if (reduction.type === 'all') return new Set(all)
  if (reduction.type === 'book')
    return new Set(all.filter((index) => reduction.bookIds.includes(lines[index]!.bookId)))
  const cheapest = all.reduce<number | undefined>(
    (best, index) =>
      best === undefined || lines[index]!.originalMinor < lines[best]!.originalMinor ? index : best,
    undefined,
  )
  return new Set(cheapest === undefined ? [] : [cheapest])
}

/** Included in a price, rounded half up. */
export const vatIn = (priceMinor: number, percent: number): number =>
  Math.floor((2 * priceMinor * percent + 100 + percent) / (2 * (100 + percent)))

/** A percentage of the whole bag is rounded up to a whole pound, and never makes it dearer (DISC-09). */
function wholeBag(totalMinor: number, { percent, amountMinor }: Reduction): number {
  if (percent === null) return Math.max(0, totalMinor - (amountMinor ?? 0))
  return Math.min(totalMinor, Math.ceil((totalMinor * (100 - percent)) / 10_000) * 100)
}

/** Whether a percentage of the whole bag took off less than it says. */
export const isRoundedUp = (reckoned: {
  readonly beforeMinor: number
  readonly totalMinor: number
  readonly percent: number | null
}): boolean => {
  const { beforeMinor, totalMinor, percent } = reckoned
  return (
    percent !== null &&
    totalMinor > 0 &&
    totalMinor === wholeBag(beforeMinor, { type: 'all', percent, amountMinor: null, bookIds: [] }) &&
    totalMinor * 100 > beforeMinor * (100 - percent)
  )
}

/** One line alone, to the penny, half up. */
const reduced = (priceMinor: number, { percent, amountMinor }: Reduction): number =>
  percent === null
    ? Math.max(0, priceMinor - (amountMinor ?? 0))
    : Math.floor((priceMinor * (100 - percent) + 50) / 100)

/** A total over lines in proportion to their weights, by largest remainder; no line gets more than its weight. */
function spread(total: number, weights: readonly number[]): number[] {
  const all = sum(weights)
  if (all === 0) return weights.map(() => 0)
  const shares = weights.map((weight) => Math.floor((total * weight) / all))
  const left = total - sum(shares)
  const byRemainder = [...weights.keys()].sort(
    (one, two) => ((total * weights[two]!) % all) - ((total * weights[one]!) % all) || one - two,
  )
  for (const index of byRemainder.slice(0, left)) shares[index]! += 1
  return shares
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
