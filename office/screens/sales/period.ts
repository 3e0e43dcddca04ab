/** `2026`, `2026-Q4`, `2026-11` or `2026-11-01..2026-11-30` (contract/office/sales.ts). */
export type Unit = 'month' | 'quarter' | 'year' | 'days'

export const unitOf = (period: string): Unit =>
  period.includes('..') ? 'days' : period.includes('Q') ? 'quarter' : period.length === 4 ? 'year' : 'month'

/** The period of another unit that has the same first day. */
export function inUnit(unit: Unit, { from, to }: { readonly from: string; readonly to: string }): string {
  if (unit === 'days') return `${from}..${to}`
  if (unit === 'year') return from.slice(0, 4)
  return unit === 'month' ? from.slice(0, 7) : `${from.slice(0, 4)}-Q${quarterOf(from)}`
}

const quarterOf = (day: string): number => Math.ceil(Number(day.slice(5, 7)) / 3)

/** The next period of the same unit, or the one before it. Days move by as many days as there are. */
export function shifted(period: string, by: 1 | -1): string {
  const unit = unitOf(period)
  if (unit === 'year') return String(Number(period) + by)
  if (unit === 'days') {
    const [from = '', to = ''] = period.split('..')
    const length = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
    const moved = (day: string) => new Date(Date.parse(day) + by * length * DAY_MS).toISOString().slice(0, 10)
    return `${moved(from)}..${moved(to)}`
  }
  const parts = unit === 'month' ? 12 : 4
  const index = Number(period.slice(0, 4)) * parts + Number(period.slice(unit === 'month' ? 5 : 6)) - 1 + by
  const year = Math.floor(index / parts)
  const part = (index % parts) + 1
  return unit === 'month' ? `${year}-${String(part).padStart(2, '0')}` : `${year}-Q${part}`
}

const DAY_MS = 86_400_000

/** Each day from the first to the last. */
export function daysOf(from: string, to: string): string[] {
  const days: string[] = []
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}
