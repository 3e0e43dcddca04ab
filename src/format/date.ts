import { DAY_MS } from '#contract/durations.ts'
/** "March 2021": first publication. Takes an ISO date or instant; '' if invalid. */
export function monthYear(iso: string) {
  const date = parse(iso)
  return date ? `${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}` : ''
}

/** "3rd March 2026": payments, orders, expiry, articles. */
export function longDate(iso: string) {
  const date = parse(iso)
  return date ? `${ordinal(date.getUTCDate())} ${monthYear(iso)}` : ''
}

/** "3rd December": a day close enough that the year is clear. */
export function dayAndMonth(iso: string) {
  const date = parse(iso)
  return date ? `${ordinal(date.getUTCDate())} ${MONTHS[date.getUTCMonth()]}` : ''
}

/** The last day before an instant: something that ends at midnight is last available the day before. */
export const lastDay = (until: string): string => new Date(Date.parse(until) - 1).toISOString()

/** "Friday 25th December": a day chosen by the user. */
export function weekdayAndDay(iso: string) {
  const date = parse(iso)
  return date ? `${WEEKDAYS[date.getUTCDay()]} ${dayAndMonth(iso)}` : ''
}

/**
 * "2nd December 2026, 7.30 pm": the time of an event, in London. Midnight in UTC means a day without a known
 * hour.
 */
export function dayAndHour(iso: string) {
  const date = parse(iso)
  if (!date || date.getTime() % DAY_MS === 0) return longDate(iso)
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', ...DIGITS }).formatToParts(date)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- five are asked for
  const [day, month, year, hour, minute] = (['day', 'month', 'year', 'hour', 'minute'] as const).map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  ) as [number, number, number, number, number]
  const minutes = minute === 0 ? '' : `.${String(minute).padStart(2, '0')}`
  return `${ordinal(day)} ${MONTHS[month - 1]} ${year}, ${hour % 12 || 12}${minutes} ${hour < 12 ? 'am' : 'pm'}`
}

/** "2.05 pm" for today, "24th November" for any other day, by this device's clock. */
export function whenWas(atMs: number, nowMs: number = Date.now()): string {
  const at = new Date(atMs)
  if (at.toDateString() !== new Date(nowMs).toDateString())
    return `${ordinal(at.getDate())} ${MONTHS[at.getMonth()]}`
  const minutes = String(at.getMinutes()).padStart(2, '0')
  return `${at.getHours() % 12 || 12}.${minutes} ${at.getHours() < 12 ? 'am' : 'pm'}`
}

const DIGITS = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  hourCycle: 'h23',
} as const

/** Always UTC, so that the server's markup and every browser name the same day. */
function parse(iso: string) {
  const date = new Date(iso)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function ordinal(day: number) {
  const teen = day > 10 && day < 14
  return `${day}${(!teen && ['', 'st', 'nd', 'rd'][day % 10]) || 'th'}`
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
