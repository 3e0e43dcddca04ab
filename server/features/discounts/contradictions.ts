import type { DiscountType } from '#contract/discounts.ts'

/** A code as the owner writes it, in a file or on the command line. */
export interface DescribedCode {
  readonly code: string
  readonly type: DiscountType
  readonly percent?: number | undefined
  /** In pounds. */
  readonly amount?: number | undefined
  readonly book?: string | undefined
  readonly startsAt: Date | null
  readonly endsAt: Date | null
  readonly duration?: 'once' | 'repeating' | 'forever' | undefined
  readonly durationMonths?: number | undefined
}

export function contradictionIn(given: DescribedCode): string | undefined {
  const { code, type, percent, amount, book, startsAt, endsAt, duration, durationMonths } = given
  if ((percent === undefined) === (amount === undefined))
    return `“${code}” needs either “percent” or “amount”, in pounds.`
  if ((type === 'book') !== (book !== undefined))
    return `“${code}” needs a “book” exactly where its type is book.`
  if (startsAt && endsAt && endsAt <= startsAt) return `“${code}” ends before it starts.`
  if (duration !== undefined && (type === 'book' || type === 'cheapest_book'))
    return `“${code}”: “duration” is for memberships, and this code is for books.`
  if ((duration === 'repeating') !== (durationMonths !== undefined))
    return `“${code}” needs “durationMonths” exactly where its “duration” is repeating.`
  if (type === 'yearly' && durationMonths !== undefined && durationMonths % 12 !== 0)
    return `“${code}” is for years, so that its “durationMonths” are whole years, 12, 24 or more.`
  return undefined
}
