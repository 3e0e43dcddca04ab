import type { DatedPlace } from '#storage/places-db.ts'

/** As many as the server keeps. */
const SHOWN = 50

/** Nearer than this to the one above it a place is no other one to go back to. */
const NEARLY_SECONDS = 30

/**
 * Both lists as one, newest first; an event that is in both is one place, and so is what lies nearly where the
 * place above it does.
 */
export function mergeHistory(here: readonly DatedPlace[], there: readonly DatedPlace[]): DatedPlace[] {
  const known = new Set<string>()
  const places = [...there, ...here]
    .filter((place) => {
      const key = place.eventId ?? `${place.chapter} ${place.seconds} ${place.heardAt}`
      return !known.has(key) && known.add(key)
    })
    .sort((a, b) => Date.parse(b.heardAt) - Date.parse(a.heardAt))
  const shown: DatedPlace[] = []
  for (const place of places) {
    const above = shown.at(-1)
    const isNear =
      above?.chapter === place.chapter && Math.abs(above.seconds - place.seconds) <= NEARLY_SECONDS
    if (!isNear) shown.push(place)
  }
  return shown.slice(0, SHOWN)
}

/** "14 min from 07:58 saved at 08:42". Undefined where next to nothing was heard. */
export function receiptWords(listenedSeconds: number, from: string, saved: string): string | undefined {
  if (listenedSeconds < 5) return undefined
  const heard =
    listenedSeconds < 60 ? `${Math.round(listenedSeconds)} s` : `${Math.round(listenedSeconds / 60)} min`
  return `${heard} from ${from} saved at ${saved}`
}

/** "08:42" of today, "Tuesday 08:42" of this week, "3 March 08:42" before. Local time: it is the listener's day. */
export function when(iso: string, nowMs: number): string {
  const at = new Date(iso)
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const now = new Date(nowMs)
  if (at.toDateString() === now.toDateString()) return time
  const days = (nowMs - at.getTime()) / 86_400_000
  if (days >= 0 && days < 6) return `${at.toLocaleDateString('en-GB', { weekday: 'long' })} ${time}`
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })} ${time}`
}
