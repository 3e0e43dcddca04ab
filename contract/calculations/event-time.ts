/** When an event is, as people say it, in London. */
export interface EventTime {
  /** "29" */
  readonly day: string
  /** "November" */
  readonly month: string
  /** "Sunday" */
  readonly weekday: string
  readonly year: string
  /** "17:00", "17:00 to 18:30"; empty for a day without a known hour. */
  readonly hours: string
}

const ZONE = 'Europe/London'
const parts = new Intl.DateTimeFormat('en-GB', {
  timeZone: ZONE,
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  weekday: 'long',
})
const hour = new Intl.DateTimeFormat('en-GB', { timeZone: ZONE, timeStyle: 'short' })

/** Midnight in UTC means a day without a known hour (`importer/content/item.ts`). */
const DAY_MS = 24 * 3_600_000
export const hasHour = (startsAt: string): boolean => Date.parse(startsAt) % DAY_MS !== 0

export function eventTime(startsAt: string, endsAt: string | null = null): EventTime {
  const at = new Date(startsAt)
  const found = Object.fromEntries(parts.formatToParts(at).map(({ type, value }) => [type, value]))
  const hours = hasHour(startsAt)
    ? endsAt
      ? `${hour.format(at)} to ${hour.format(new Date(endsAt))}`
      : hour.format(at)
    : ''
  const { day = '', month = '', weekday = '', year = '' } = found
  return { day, month, weekday, year, hours }
}

/** "Sunday 29 November, 17:00"; with the year unless it is that of `near`, an instant that the reader can see. */
export function eventInWords(
  startsAt: string,
  near: string | null = null,
  endsAt: string | null = null,
): string {
  const { weekday, day, month, year, hours } = eventTime(startsAt, endsAt)
  const named = `${weekday} ${day} ${month}`
  const date = near?.startsWith(year) ? named : `${named} ${year}`
  return hours ? `${date}, ${hours}` : date
}

/** Over at its end, or a day after its beginning. */
export const isOver = (
  { startsAt, endsAt }: { readonly startsAt: string | null; readonly endsAt: string | null },
  now: Date,
): boolean =>
  startsAt !== null && now.getTime() >= (endsAt === null ? Date.parse(startsAt) + DAY_MS : Date.parse(endsAt))
