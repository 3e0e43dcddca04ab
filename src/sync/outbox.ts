import { TWO_PLACES_SECONDS } from '#contract/limits.ts'
import type { ListeningEvent } from '#contract/listening.ts'
import { readClock, type ClockReading } from '#storage/clock.ts'
import type { HeardPlace } from '#storage/place.ts'
import {
  placesDb,
  type LocalPlace,
  type PlacesDb,
  type WaitingEvent,
  type DatedPlace,
  type PastPlace,
} from '#storage/places-db.ts'
import { deviceId } from '#storage/values.ts'

/**
 * Stores the listener's position: the place on this device and the event for the server in one transaction.
 * Unsent events of one chapter merge into the last. `late`: the event may already be stored, or a later one
 * may; then nothing happens. Returns the position that is stored now.
 */
export function keepPlace(
  ownerUuid: string,
  heard: HeardPlace,
  { late = false } = {},
): Promise<LocalPlace | undefined> {
  const clock = heard.clock ?? readClock()
  return thisDeviceId().then((device) =>
    placesDb.use(ownerUuid, (db) =>
      db.transaction('rw', db.tables, async () => {
        const before = await db.places.get(heard.slug)
        if (late && before && (await isPast(db, heard, before, clock, device))) return before
        const folded = (await waitingOf(db, heard.slug)).filter(({ chapter }) => chapter === heard.chapter)
        await db.outbox.bulkDelete(folded.map(({ eventId }) => eventId))

        const listened = folded.reduce(
          (sum, event) => sum + event.listenedSeconds,
          heard.listenedSeconds ?? 0,
        )
        const held = folded.some((event) => event.held === 1)
        const basedOn = before?.basedOn ?? null
        const place = await writePlace(
          db,
          { ...heard, listenedSeconds: listened },
          { clock, device, basedOn, held },
        )
        // Listening on without answering the two-places question moves this side of it.
        await db.twoPlaces.update(heard.slug, { here: pastPlace(place) })
        if (before && placeDistance(before, heard) > TWO_PLACES_SECONDS) {
          await rememberPast(db, heard.slug, pastPlace(before))
        }
        return place
      }),
    ),
  )
}

async function isPast(
  db: PlacesDb,
  { eventId }: HeardPlace,
  before: LocalPlace,
  clock: ClockReading,
  device: string,
) {
  if (eventId && before.eventId === eventId) return true
  // Another device's position is dated by the server's clock.
  const offset = before.deviceId === device ? 0 : ((await knownOffset(db)) ?? 0)
  return before.heardAtMs >= clock.wallMs + offset
}

export async function writePlace(
  db: PlacesDb,
  { slug, chapter, seconds, fromSeconds, sound, listenedSeconds = 0, eventId }: HeardPlace,
  {
    clock,
    device,
    basedOn,
    held = false,
  }: { clock: ClockReading; device: string; basedOn: string | null; held?: boolean },
): Promise<LocalPlace> {
  const id = eventId ?? crypto.randomUUID()
  const place: LocalPlace = {
    slug,
    chapter,
    seconds: Math.max(0, Math.round(seconds * 1000) / 1000),
    heardAtMs: clock.wallMs,
    eventId: id,
    deviceId: device,
    basedOn,
    fromSeconds,
    sound,
  }
  await db.places.put(place)
  await db.chapters.put({ slug, chapter, seconds: place.seconds, heardAtMs: clock.wallMs })
  await db.outbox.add({
    eventId: id,
    sequence: await nextSequence(db),
    slug,
    chapter,
    seconds: place.seconds,
    heardAtMs: clock.wallMs,
    clock: { page: clock.page, ms: clock.pageMs },
    offsetMs: await knownOffset(db),
    basedOn,
    tries: 0,
    setAside: 0,
    listenedSeconds,
    held: held ? 1 : 0,
    fromSeconds,
    sound,
  })
  return place
}

/** Both sending events and applying the server's answers take this lock. */
export const outboxLock = (ownerUuid: string): string => `murmur-outbox-${ownerUuid}`

export async function waitingOf(db: PlacesDb, slug: string): Promise<WaitingEvent[]> {
  const events = await db.outbox.where('slug').equals(slug).sortBy('sequence')
  return events.filter(({ setAside }) => setAside === 0)
}

/** The number of unsent events, without those that were set aside. */
export const countWaiting = (ownerUuid: string): Promise<number> =>
  placesDb.use(ownerUuid, (db) => db.outbox.filter(({ setAside }) => setAside === 0).count())

/** Events that the server refused repeatedly: shown to the listener, never sent automatically. */
export const listSetAside = (ownerUuid: string): Promise<WaitingEvent[]> =>
  placesDb.use(ownerUuid, (db) => db.outbox.filter(({ setAside }) => setAside === 1).toArray())

export const knownOffset = async (db: PlacesDb): Promise<number | null> =>
  (await keptNumber(db, 'clockOffset')) ?? null

async function keptNumber(db: PlacesDb, name: string): Promise<number | undefined> {
  const value = (await db.settings.get(name))?.value
  return typeof value === 'number' ? value : undefined
}

/** Call inside the event's transaction, so that two tabs never use the same number. */
export async function nextSequence(db: PlacesDb): Promise<number> {
  const last = (await keptNumber(db, 'sequence')) ?? 0
  await db.settings.put({ name: 'sequence', value: last + 1 })
  return last + 1
}

let device: Promise<string> | undefined
/** Cached in memory: a Dexie transaction must not wait for another database. */
export function thisDeviceId(): Promise<string> {
  device ??= deviceId().catch((failure: unknown) => {
    device = undefined
    throw failure
  })
  return device
}

/** The request body of an event; `agoSeconds` is measured when it is sent, and undefined if unknown. */
export const eventBody = (
  event: Pick<
    WaitingEvent,
    'slug' | 'chapter' | 'seconds' | 'eventId' | 'heardAtMs' | 'basedOn' | 'fromSeconds' | 'sound'
  >,
  device: string,
  agoSeconds: number | undefined,
): ListeningEvent => ({
  audioBook: `/api/audio_books/${event.slug}`,
  chapter: event.chapter,
  seconds: event.seconds,
  eventId: event.eventId,
  deviceId: device,
  heardAt: new Date(event.heardAtMs).toISOString(),
  basedOn: event.basedOn,
  ...(event.fromSeconds === undefined ? {} : { fromSeconds: event.fromSeconds }),
  ...(event.sound === undefined ? {} : { sound: event.sound }),
  ...(agoSeconds === undefined ? {} : { agoSeconds }),
})

/** The same limit as the server's. */
const KEEP = 50

export const pastPlace = (place: LocalPlace): DatedPlace => ({
  chapter: place.chapter,
  seconds: place.seconds,
  heardAt: new Date(place.heardAtMs).toISOString(),
  eventId: place.eventId,
  deviceId: place.deviceId,
})

/** Must run inside a transaction that includes `history`. */
export async function rememberPast(db: PlacesDb, slug: string, place: DatedPlace): Promise<void> {
  await db.history.add({ ...place, slug })
  const ids = await db.history.where('slug').equals(slug).primaryKeys()
  await db.history.bulkDelete(ids.slice(0, -KEEP))
}

/** This device's earlier positions, newest first; the server's are fetched separately. */
export const listPastPlaces = (ownerUuid: string, slug: string): Promise<PastPlace[]> =>
  placesDb.use(ownerUuid, async (db) => (await db.history.where('slug').equals(slug).sortBy('id')).reverse())

interface Spot {
  chapter: number
  seconds: number
}

/**
 * Seconds of sound between two places. `lengths` are the chapters' durations by chapter number; if a length
 * between the places is unknown, they count as infinitely far apart: an unnecessary question loses nothing.
 */
export function placeDistance(a: Spot, b: Spot, lengths: ReadonlyMap<number, number> = new Map()): number {
  if (a.chapter === b.chapter) return Math.abs(a.seconds - b.seconds)
  const [first, last] = a.chapter < b.chapter ? [a, b] : [b, a]
  let between = last.seconds - first.seconds
  for (let chapter = first.chapter; chapter < last.chapter; chapter++) {
    between += lengths.get(chapter) ?? Number.POSITIVE_INFINITY
  }
  return Math.abs(between)
}
