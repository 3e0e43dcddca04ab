/** A billing interval. Calendar arithmetic is in UTC and Unix seconds, as at Stripe. */
export interface Rhythm {
  readonly interval: string
  readonly interval_count: number
}

export const HOUR = 3_600
export const DAY = 24 * HOUR

/**
 * The time `times` intervals after the anchor. Always count from the anchor, never from the previous period: a
 * subscription that begins on the 31st is billed on 28 February and then on 31 March.
 */
export function after(anchor: number, { interval, interval_count: count }: Rhythm, times: number): number {
  switch (interval) {
    case 'day':
      return anchor + times * count * DAY
    case 'week':
      return anchor + times * count * 7 * DAY
    default:
      return monthsAfter(anchor, times * count * (interval === 'year' ? 12 : 1))
  }
}

/** Uses the last day of a month that is too short. */
export function monthsAfter(anchor: number, months: number): number {
  const date = new Date(anchor * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(day, daysIn(date.getUTCFullYear(), date.getUTCMonth())))
  return date.getTime() / 1000
}

export function periodEnd(anchor: number, rhythm: Rhythm, moment: number): number {
  let times = 1
  while (after(anchor, rhythm, times) <= moment) times += 1
  return after(anchor, rhythm, times)
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/** The share of an amount for the rest of a period: calculated by the second, rounded to whole pence. */
export function shareLeft(amount: number, period: Period, at: number): number {
  const left = Math.min(1, Math.max(0, (period.end - at) / (period.end - period.start)))
  return Math.round(amount * left)
}

export interface Period {
  readonly start: number
  readonly end: number
}
