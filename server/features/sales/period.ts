import { DateTime } from 'luxon'

/** Days of the shop's calendar, both inclusive. */
export interface Period {
  readonly from: string
  readonly to: string
}

/** Longer periods would read too many orders at once. */
const YEARS_AT_MOST = 5

/** `2026`, `2026-Q4`, `2026-11` or `2026-11-01..2026-11-30`; undefined for anything else. */
export function periodOf(text: string): Period | undefined {
  const [, year, quarter, month] = /^(\d{4})(?:-?[qQ]([1-4])|-(\d\d))?$/.exec(text) ?? []
  if (year) {
    const unit = quarter ? 'quarter' : month ? 'month' : 'year'
    const first = DateTime.utc(Number(year), quarter ? Number(quarter) * 3 - 2 : Number(month ?? 1))
    return first.isValid ? { from: first.toISODate(), to: first.endOf(unit).toISODate() } : undefined
  }
  const [, from = '', to = ''] = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/.exec(text) ?? []
  const [first, last] = [DateTime.fromISO(from, { zone: 'utc' }), DateTime.fromISO(to, { zone: 'utc' })]
  const isUsable =
    first.isValid && last.isValid && first <= last && last < first.plus({ years: YEARS_AT_MOST })
  return isUsable ? { from, to } : undefined
}
