import { facts } from '../facts.ts'

const format = (options: Intl.DateTimeFormatOptions) => {
  let made: Intl.DateTimeFormat | undefined
  return (at: Date) =>
    (made ??= new Intl.DateTimeFormat('en-GB', { timeZone: facts().zone, ...options })).format(at)
}
const clock = format({ hour: '2-digit', minute: '2-digit' })
const weekday = format({ weekday: 'short' })
const longWeekday = format({ weekday: 'long' })
const isoDay = format({ year: 'numeric', month: '2-digit', day: '2-digit' })
const dayOfMonth = format({ day: 'numeric' })
const month = format({ month: 'long' })
const year = format({ year: 'numeric' })

const DAY_MS = 86_400_000

/** `Today 08:51`, `Mon 19:44`, `9th November`, `9th November 2025`: in the shop's time zone. */
export function when(iso: string, nowMs: number = Date.now()): string {
  const at = new Date(iso)
  const now = new Date(nowMs)
  if (isoDay(at) === isoDay(now)) return `Today ${clock(at)}`
  const isPast = at.getTime() < nowMs
  if (isPast && nowMs - at.getTime() < 6 * DAY_MS) return `${weekday(at)} ${clock(at)}`
  return year(at) === year(now) ? dayAndMonth(at) : `${dayAndMonth(at)} ${year(at)}`
}

/** `9th November`, `9th November 2025`: in lists where the time of day says nothing. */
export function onDay(iso: string, nowMs: number = Date.now()): string {
  const at = new Date(iso)
  return year(at) === year(new Date(nowMs)) ? dayAndMonth(at) : `${dayAndMonth(at)} ${year(at)}`
}

/** `24th November 2026 at 08:51` */
export const exactly = (iso: string): string => {
  const at = new Date(iso)
  return `${dayAndMonth(at)} ${year(at)} at ${clock(at)}`
}

/** `Tuesday 24th November 2026` */
export const wholeDay = (at: Date): string => `${longWeekday(at)} ${dayAndMonth(at)} ${year(at)}`

/** `Mon 23rd`, and the weekday's whole name. */
export const shortDay = (at: Date): { readonly short: string; readonly long: string } => ({
  short: `${weekday(at)} ${ordinal(Number(dayOfMonth(at)))}`,
  long: longWeekday(at),
})

/** `Thursday` within a week, `9th December` later. */
export function until(iso: string, nowMs: number = Date.now()): string {
  const at = new Date(iso)
  return at.getTime() - nowMs < 6 * DAY_MS ? longWeekday(at) : dayAndMonth(at)
}

/** `now`, `today 08:10`, `yesterday`, `9th November` */
export function lastSeen(iso: string | null, nowMs: number = Date.now()): string {
  if (iso === null) return 'not yet'
  const at = new Date(iso)
  if (nowMs - at.getTime() < 3 * 60_000) return 'now'
  if (isoDay(at) === isoDay(new Date(nowMs))) return `today ${clock(at)}`
  if (isoDay(at) === isoDay(new Date(nowMs - DAY_MS))) return 'yesterday'
  return dayAndMonth(at)
}

/** `November` */
export const monthOf = month

/** `December 2026`, of `2026-12` */
export const monthAndYear = (key: string): string =>
  new Date(`${key}-01T12:00Z`).toLocaleDateString('en-GB', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })

/** `24th November` */
export const dayAndMonth = (at: Date): string => `${ordinal(Number(dayOfMonth(at)))} ${month(at)}`

export function ordinal(day: number): string {
  const isTeen = day > 10 && day < 14
  return `${day}${(!isTeen && ['', 'st', 'nd', 'rd'][day % 10]) || 'th'}`
}

/** `2026-11-27T07:00` in the shop's time zone, as a field of the browser has it. */
export function localMinute(iso: string): string {
  const at = new Date(iso)
  const [day = '', monthNumber = '', wholeYear = ''] = isoDay(at).split('/')
  return `${wholeYear}-${monthNumber}-${day}T${clock(at)}`
}

/** The instant of a `localMinute`. The two hours of a clock change are the earlier one. */
export function instantOf(local: string): string {
  const asUtc = Date.parse(`${local}Z`)
  const aheadMs = Date.parse(`${localMinute(new Date(asUtc).toISOString())}Z`) - asUtc
  const at = new Date(asUtc - aheadMs)
  // Near a change of the clocks the zone may be ahead by another hour at that time.
  const missedMs = Date.parse(`${localMinute(at.toISOString())}Z`) - asUtc
  return new Date(at.getTime() - missedMs).toISOString()
}
