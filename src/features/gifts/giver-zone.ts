import { useSyncExternalStore } from 'react'
import { hourIn, todayIn, zoneInWords } from '#format/calendar-day.ts'
import { weekdayAndDay } from '#format/date.ts'

/** When a gift of a chosen day arrives, where its giver is. */
const MORNING = 8

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
const never = () => () => undefined

/** The giver's zone, as the browser tells it; undefined in the server's markup, which is one for everybody. */
export const useGiverZone = (): string | undefined =>
  useSyncExternalStore(never, browserZone, () => undefined)

/** "Friday 25th December, 8:00 in the morning, London time." */
export function arrivalInWords(day: string, zone: string, nowMs: number): string {
  const isNow = day === todayIn(zone, nowMs) && hourIn(zone, nowMs) >= MORNING
  return isNow
    ? 'That’s today, so it goes as soon as you’ve paid.'
    : `${weekdayAndDay(day)}, ${MORNING}:00 in the morning, ${zoneInWords(zone)}.`
}
