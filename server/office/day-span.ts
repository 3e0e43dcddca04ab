import { DateTime } from 'luxon'
import { unreadable } from '../http/http-errors.ts'

export interface DaySpan {
  readonly from: Date
  readonly until: Date
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/**
 * What a list's filter of days means, in the shop's time zone: `today`, `yesterday`, `week` (seven days with today),
 * `month` (since the first) or `2026-11-01..2026-11-30`, with both days.
 *
 * @throws 400 for anything else
 */
export function daySpan(text: string, now: Date, zone: string): DaySpan {
  const today = DateTime.fromJSDate(now, { zone }).startOf('day')
  const upTo = (from: DateTime, days: number) => ({
    from: from.toJSDate(),
    until: from.plus({ days }).toJSDate(),
  })
  if (text === 'today') return upTo(today, 1)
  if (text === 'yesterday') return upTo(today.minus({ days: 1 }), 1)
  if (text === 'week') return upTo(today.minus({ days: 6 }), 7)
  if (text === 'month') return upTo(today.startOf('month'), 40)
  const [first = '', last = first] = text.split('..')
  const from = DateTime.fromISO(first, { zone })
  const to = DateTime.fromISO(last, { zone })
  if (!DAY.test(first) || !DAY.test(last) || !from.isValid || !to.isValid || to < from)
    throw unreadable('Days are written 2026-11-01..2026-11-30.')
  return { from: from.toJSDate(), until: to.plus({ days: 1 }).toJSDate() }
}
