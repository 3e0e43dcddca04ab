import type { DatedPlace } from '#storage/places-db.ts'
import { slugOfIri } from '#storage/title-key.ts'
import type { AudioBookTime, SoundClaim } from '#contract/listening.ts'
import type { ChapterSeconds } from '#storage/place.ts'

/** The server stores as many. */
const SHOWN = 50

/** A place closer than this to the one above is not worth listing. */
const NEARLY_SECONDS = 30

/**
 * Merges both lists, newest first. An event in both lists becomes one place, and a place close to the one
 * above it is omitted.
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

/** "14 min from 07:58 saved at 08:42". Undefined for less than five seconds. */
export function receiptWords(listenedSeconds: number, from: string, saved: string): string | undefined {
  if (listenedSeconds < 5) return undefined
  const heard =
    listenedSeconds < 60 ? `${Math.round(listenedSeconds)} s` : `${Math.round(listenedSeconds / 60)} min`
  return `${heard} from ${from} saved at ${saved}`
}

/** "08:42" today, "Tuesday 08:42" this week, "3 March 08:42" before, in local time. */
export function when(iso: string, nowMs: number): string {
  const at = new Date(iso)
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
  const now = new Date(nowMs)
  if (at.toDateString() === now.toDateString()) return time
  const days = (nowMs - at.getTime()) / 86_400_000
  if (days >= 0 && days < 6) return `${at.toLocaleDateString('en-GB', { weekday: 'long' })} ${time}`
  return `${at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })} ${time}`
}

interface NotedPlace extends ChapterSeconds {
  readonly slug: string
  readonly row: AudioBookTime
}

export const notedFrom = (row: AudioBookTime): NotedPlace => ({
  slug: slugOfIri(row.audioBook),
  chapter: row.chapter,
  seconds: row.seconds,
  row,
})

/** Twice the rewind on resume: a smaller difference isn't noticeable. */
const SAME_SECONDS = 10

export const samePlace = (a: ChapterSeconds, b: ChapterSeconds): boolean =>
  a.chapter === b.chapter && Math.abs(a.seconds - b.seconds) <= SAME_SECONDS

export interface OwnClaim {
  readonly claimId: string
  /** Undefined until the server has answered. */
  readonly startedAt: string | undefined
}

/**
 * True if another device has the sound now. This device has it until the server answers: only the answer
 * shows which device started last.
 */
export const givesWay = (own: OwnClaim | undefined, claim: SoundClaim, deviceId: string): boolean =>
  own !== undefined &&
  claim.deviceId !== deviceId &&
  own.startedAt !== undefined &&
  Date.parse(claim.startedAt) >= Date.parse(own.startedAt)

export interface PlayingElsewhere extends ChapterSeconds {
  readonly claimId: string
  readonly deviceId: string
  readonly deviceName: string | undefined
  readonly slug: string
}

export const elsewhereOf = (claim: SoundClaim): PlayingElsewhere => ({
  claimId: claim.claimId,
  deviceId: claim.deviceId,
  deviceName: claim.device?.name,
  slug: slugOfIri(claim.audioBook),
  chapter: claim.chapter,
  seconds: claim.seconds,
})
