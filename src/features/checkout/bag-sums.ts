import type { Cart } from '#contract/bag.ts'
import { toMinor } from '#format/money.ts'

export interface SummaryLine {
  readonly words: string
  readonly minor: number
}

export interface Summary {
  readonly subTotalMinor: number
  /** One line for each rate that occurs, highest first. */
  readonly vat: readonly SummaryLine[]
  readonly vatMinor: number
  readonly totalMinor: number
  /** The total without the code; undefined where the code takes nothing off. */
  readonly wasMinor: number | undefined
  readonly savedMinor: number
}

/** BAG-02: the server's sums; only the lines of one VAT rate are added up here, and in pence. */
export function summaryOf(cart: Pick<Cart, (typeof SUMS)[number] | 'items'>): Summary {
  const totalMinor = toMinor(cart.sumCheckedForPayment)
  const beforeMinor = toMinor(cart.sumBeforeDiscount)
  const rates = new Map<number, { minor: number; formats: Set<string> }>()
  for (const item of cart.items.filter(({ available }) => available)) {
    const rate = rates.get(item.vatPercent) ?? { minor: 0, formats: new Set<string>() }
    rate.minor += toMinor(item.vat)
    rate.formats.add(item.audioBook ? 'audiobooks' : 'e-books')
    rates.set(item.vatPercent, rate)
  }
  return {
    subTotalMinor: toMinor(cart.sumNet),
    vat: [...rates]
      .sort(([one], [other]) => other - one)
      .map(([percent, { minor, formats }]) => ({
        words: `VAT ${percent}%, ${[...formats].join(' and ')}`,
        minor,
      })),
    vatMinor: toMinor(cart.sumVat),
    totalMinor,
    wasMinor: beforeMinor > totalMinor ? beforeMinor : undefined,
    savedMinor: Math.max(0, beforeMinor - totalMinor),
  }
}
const SUMS = ['sumCheckedForPayment', 'sumVat', 'sumNet', 'sumBeforeDiscount'] as const
