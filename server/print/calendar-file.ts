import ical from 'ical-generator'
import { hasHour } from '#contract/calculations/event-time.ts'

export interface CalendarEntry {
  /** The same for each version of the file, so that a calendar replaces the entry. */
  readonly id: string
  readonly title: string
  readonly startsAt: string
  readonly endsAt: string | null
  readonly place: string | null
  /** Its page. */
  readonly url: string
}

/** A day without a known hour becomes an entry for the whole day. */
export function calendarFile(shopName: string, entry: CalendarEntry): string {
  const start = new Date(entry.startsAt)
  const calendar = ical({ name: shopName, prodId: { company: shopName, product: 'events', language: 'EN' } })
  calendar.createEvent({
    id: `${entry.id}@${new URL(entry.url).hostname}`,
    start,
    allDay: !hasHour(entry.startsAt),
    stamp: start,
    summary: entry.title,
    url: entry.url,
    description: entry.url,
    ...(entry.endsAt ? { end: new Date(entry.endsAt) } : {}),
    ...(entry.place ? { location: entry.place } : {}),
  })
  return calendar.toString()
}
