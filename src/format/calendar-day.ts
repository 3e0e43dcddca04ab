import { DAY_MS } from '#contract/durations.ts'
/**
 * Calendar days without a time, as in the API: "2026-12-25". Calculated in UTC, where every day has 24 hours.
 */

/** Parses "25/12/2026" with any separator; undefined for an invalid date. */
export function dayIn(typed: string): string | undefined {
  const [, day, month, year] = /^\s*(\d{1,2})\s*[/.\- ]\s*(\d{1,2})\s*[/.\- ]\s*(\d{4})\s*$/.exec(typed) ?? []
  if (!day || !month || !year) return undefined
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${iso}T00:00:00Z`)
  // Reject the 31st of a shorter month.
  return !Number.isNaN(time) && isoOf(time) === iso ? iso : undefined
}

export const typedDay = (iso: string): string => iso.split('-').toReversed().join('/')

export function todayIn(zone: string, nowMs: number): string {
  const { year, month, day } = partsIn(zone, nowMs)
  return `${year}-${month}-${day}`
}

/** From 0 to 23. */
export const hourIn = (zone: string, nowMs: number): number => Number(partsIn(zone, nowMs).hour)

export const addDays = (iso: string, days: number): string => isoOf(timeOf(iso) + days * DAY_MS)

/** The same day of another month, or its last day if that month is shorter. */
export function addMonths(iso: string, months: number): string {
  const [year = 0, month = 1, day = 1] = iso.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return isoOf(Date.UTC(year, month - 1 + months, Math.min(day, last)))
}

/** The weeks of the day's month, Monday first; days of other months are undefined. */
export function weeksOf(iso: string): (string | undefined)[][] {
  const first = `${iso.slice(0, 7)}-01`
  const blanks = (new Date(timeOf(first)).getUTCDay() + 6) % 7
  const length = new Date(timeOf(addDays(addMonths(first, 1), -1))).getUTCDate()
  const days = Array.from({ length }, (_, index) => addDays(first, index))
  const cells = [...Array<undefined>(blanks), ...days]
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_day, column) => cells[week * 7 + column]),
  )
  return weeks
}

/** "London time" for "Europe/London". */
export function zoneInWords(zone: string): string {
  const place = zone.split('/').at(-1)!.replaceAll('_', ' ')
  return place === 'UTC' || place === 'GMT' ? place : `${place} time`
}

const timeOf = (iso: string) => Date.parse(`${iso}T00:00:00Z`)
const isoOf = (time: number) => new Date(time).toISOString().slice(0, 10)

function partsIn(zone: string, nowMs: number): Record<string, string> {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    hourCycle: 'h23',
  })
  return Object.fromEntries(format.formatToParts(nowMs).map(({ type, value }) => [type, value]))
}
