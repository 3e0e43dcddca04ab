import { DAY_MS } from '#contract/durations.ts'
/** Days without an hour, as the wire has them: "2026-12-25". Reckoned in UTC, where each of them has 24 hours. */

/** "25/12/2026" as somebody types it, with any mark between the numbers; undefined for what is no day. */
export function dayIn(typed: string): string | undefined {
  const [, day, month, year] = /^\s*(\d{1,2})\s*[/.\- ]\s*(\d{1,2})\s*[/.\- ]\s*(\d{4})\s*$/.exec(typed) ?? []
  if (!day || !month || !year) return undefined
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${iso}T00:00:00Z`)
  // The 31st of a shorter month is none.
  return !Number.isNaN(time) && isoOf(time) === iso ? iso : undefined
}

export const typedDay = (iso: string): string => iso.split('-').toReversed().join('/')

/** The day in that zone now. */
export function todayIn(zone: string, nowMs: number): string {
  const { year, month, day } = partsIn(zone, nowMs)
  return `${year}-${month}-${day}`
}

/** Of the 24 hours, there. */
export const hourIn = (zone: string, nowMs: number): number => Number(partsIn(zone, nowMs).hour)

export const addDays = (iso: string, days: number): string => isoOf(timeOf(iso) + days * DAY_MS)

/** The same day of another month, or its last where that month is shorter. */
export function addMonths(iso: string, months: number): string {
  const [year = 0, month = 1, day = 1] = iso.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return isoOf(Date.UTC(year, month - 1 + months, Math.min(day, last)))
}

/** Weeks of the month of a day, Monday first; days of its neighbours are left out. */
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

/** "London time", of "Europe/London". */
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
