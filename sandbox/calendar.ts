/** Calendar arithmetic in UTC and Unix seconds, as Stripe bills by it. */
export interface Rhythm {
  readonly interval: string
  readonly interval_count: number
}

export const HOUR = 3_600
export const DAY = 24 * HOUR

/**
 * `times` rhythms after the anchor. Always counted from the anchor, never from the period before: so what begins on the
 * 31st is billed on 28 February and again on 31 March.
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

/** The last day of a month where it is shorter. */
export function monthsAfter(anchor: number, months: number): number {
  const date = new Date(anchor * 1000)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + months)
  date.setUTCDate(Math.min(day, daysIn(date.getUTCFullYear(), date.getUTCMonth())))
  return date.getTime() / 1000
}

/** The end of the period that holds `moment`. */
export function periodEnd(anchor: number, rhythm: Rhythm, moment: number): number {
  let times = 1
  while (after(anchor, rhythm, times) <= moment) times += 1
  return after(anchor, rhythm, times)
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/** What is left of an amount for the rest of a period, to the penny, by the second. */
export function shareLeft(amount: number, period: Period, at: number): number {
  const left = Math.min(1, Math.max(0, (period.end - at) / (period.end - period.start)))
  return Math.round(amount * left)
}

export interface Period {
  readonly start: number
  readonly end: number
}
