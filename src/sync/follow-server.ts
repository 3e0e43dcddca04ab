import { TWO_PLACES_SECONDS } from '#contract/limits.ts'
import type { AudioBookTime, ChapterTimeAnswer, Place } from '#contract/listening.ts'
import { slugOfIri } from '#storage/title-key.ts'
import { readClock, type ClockReading } from '#storage/clock.ts'
import { pastPlace, rememberPast, writePlace, thisDeviceId, waitingOf, placeDistance } from './outbox.ts'
import {
  placesDb,
  type DatedPlace,
  type PlacesDb,
  type ServerPlace,
  type WaitingEvent,
} from '#storage/places-db.ts'

/** The book's chapter lengths, if the device has them; without them, another chapter counts as far away. */
export type LengthsOf = (slug: string) => Promise<ReadonlyMap<number, number>>

/** The book's current place after an event, and the server's clock when it answered. */
export type StandingPlace = ChapterTimeAnswer['audioBookTime'] & Pick<ChapterTimeAnswer, 'serverTime'>

const NONE_KNOWN: ReadonlyMap<number, number> = new Map()
const unknownLengths: LengthsOf = async () => NONE_KNOWN

/** Applies the server's answer to an event: removes it from the outbox and stores the current position. */
export async function applyAnswerToEvent(
  ownerUuid: string,
  event: WaitingEvent,
  answer: StandingPlace,
  wallMs: number,
  lengthsOf: LengthsOf = unknownLengths,
): Promise<void> {
  const device = await thisDeviceId()
  // Fetch the lengths only if two places may have to be compared: it may cost a request.
  const asked = await placesDb.use(ownerUuid, (db) => db.twoPlaces.get(event.slug))
  const lengths = asked || answer.otherPlace ? await lengthsOf(event.slug) : NONE_KNOWN
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', tablesOf(db), async () => {
      await db.outbox.delete(event.eventId)
      await db.server.put(serverPlace(event.slug, answer))
      await db.settings.put({ name: 'clockOffset', value: Date.parse(answer.serverTime) - wallMs })

      const there = elsewhere(event, answer, device)
      const waiting = await waitingOf(db, event.slug)
      if (answer.eventId === event.eventId) await goOnFrom(db, event.slug, event.eventId)
      // If a later event is based on that place, the question has already been answered.
      if (there && !waiting.some(({ basedOn }) => basedOn !== null && basedOn === there.eventId)) {
        // Older events may be sent first, so offer this device's latest position.
        const last = await db.places.get(event.slug)
        const here = last?.deviceId === device ? pastPlace(last) : heardOnThisDevice(event, device)
        await db.twoPlaces.put({ slug: event.slug, here, there, foundAtMs: wallMs })
      } else if (!there && answer.eventId !== event.eventId && waiting.length === 0) {
        await adopt(db, event.slug, answer)
      }
      // Once everything is sent: listening on until both places meet answers the question as well.
      if (waiting.length === 0) await closeWhereOne(db, event.slug, lengths)
    }),
  )
}

/**
 * Applies the account's resume points. A book without unsent events follows the server; one that moved here
 * as well opens the two-places question.
 */
export async function followServer(
  ownerUuid: string,
  rows: readonly AudioBookTime[],
  lengthsOf: LengthsOf = unknownLengths,
): Promise<void> {
  const device = await thisDeviceId()
  const waiting = new Set<unknown>(
    await placesDb.use(ownerUuid, (db) => db.outbox.orderBy('slug').uniqueKeys()),
  )
  const asked = new Set<unknown>(
    await placesDb.use(ownerUuid, (db) => db.twoPlaces.toCollection().primaryKeys()),
  )
  for (const row of rows) {
    const slug = slugOfIri(row.audioBook)
    // Fetch the lengths only if two places may have to be compared: it may cost a request.
    const lengths = waiting.has(slug) || asked.has(slug) ? await lengthsOf(slug) : NONE_KNOWN
    await placesDb.use(ownerUuid, (db) =>
      db.transaction('rw', tablesOf(db), async () => {
        /**
         * Answers can arrive out of order, but the current position never has an earlier `heardAt`: ignore
         * older ones.
         */
        const known = await db.server.get(slug)
        if (known && Date.parse(row.heardAt) < Date.parse(known.heardAt)) return
        await db.server.put(serverPlace(slug, row))
        const place = await db.places.get(slug)
        const events = await waitingOf(db, slug)
        const last = events.at(-1)
        if (!place || !last) {
          if (row.deviceId !== device) await moveThere(db, slug, keptPlace(row), lengths)
          if (place?.eventId !== row.eventId || row.eventId === null) await adopt(db, slug, row)
          return
        }
        // This device's own event, whose answer was lost: later events are based on it.
        if (row.deviceId === device && row.eventId) return goOnFrom(db, slug, row.eventId)
        if (row.eventId === place.basedOn) return
        if (placeDistance(last, row, lengths) <= TWO_PLACES_SECONDS) return db.twoPlaces.delete(slug)
        /**
         * The event was sent online, so it may have arrived, and the other place may be based on it: the
         * server's answer to the event decides whether to ask.
         */
        if (!events.some(({ held }) => held === 1)) return
        await db.twoPlaces.put({
          slug,
          here: heardOnThisDevice(last, device),
          there: keptPlace(row),
          foundAtMs: Date.now(),
        })
      }),
    )
  }
}

/**
 * Applies the listener's choice. The chosen place becomes a new event, so it is current; the other one stays
 * in the history.
 */
export async function choosePlace(
  ownerUuid: string,
  slug: string,
  choice: 'here' | 'there',
  clock: ClockReading = readClock(),
): Promise<DatedPlace | undefined> {
  const device = await thisDeviceId()
  return placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', tablesOf(db), async () => {
      const question = await db.twoPlaces.get(slug)
      if (!question) return undefined
      const [taken, left] =
        choice === 'here' ? [question.here, question.there] : [question.there, question.here]
      const basedOn = (await db.server.get(slug))?.eventId ?? question.there.eventId
      await rememberPast(db, slug, left)
      const { chapter, seconds } = taken
      await writePlace(db, { slug, chapter, seconds, fromSeconds: seconds }, { clock, device, basedOn })
      await db.twoPlaces.delete(slug)
      return taken
    }),
  )
}

/** Moves the other device's side of the question; closes the question once both are one place. */
async function moveThere(
  db: PlacesDb,
  slug: string,
  there: DatedPlace,
  lengths: ReadonlyMap<number, number>,
): Promise<void> {
  await db.twoPlaces.update(slug, { there })
  await closeWhereOne(db, slug, lengths)
}

async function closeWhereOne(db: PlacesDb, slug: string, lengths: ReadonlyMap<number, number>) {
  const question = await db.twoPlaces.get(slug)
  if (question && placeDistance(question.here, question.there, lengths) <= TWO_PLACES_SECONDS)
    await db.twoPlaces.delete(slug)
}

/**
 * False for a position that the server has already reported to this device.
 */
export const isNews = (ownerUuid: string, row: AudioBookTime): Promise<boolean> =>
  placesDb.use(ownerUuid, async (db) => {
    const slug = slugOfIri(row.audioBook)
    const [known, place] = await Promise.all([db.server.get(slug), db.places.get(slug)])
    return known?.eventId !== row.eventId && place?.basedOn !== row.eventId
  })

/**
 * The listener chose to go to another device's position: no question is opened, and what played here since
 * `sinceMs` (this device's clock), during the request, does not count as listening.
 */
export async function goThere(ownerUuid: string, row: AudioBookTime, sinceMs: number): Promise<void> {
  const slug = slugOfIri(row.audioBook)
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', tablesOf(db), async () => {
      const since = (await waitingOf(db, slug)).filter(({ heardAtMs }) => heardAtMs >= sinceMs)
      await db.outbox.bulkDelete(since.map(({ eventId }) => eventId))
      await db.twoPlaces.delete(slug)
      await db.server.put(serverPlace(slug, row))
      if (row.eventId) await goOnFrom(db, slug, row.eventId)
      await adopt(db, slug, row)
    }),
  )
}

/** A position that arrived too late to go there automatically: stores both and lets the listener choose. */
export async function askWhich(
  ownerUuid: string,
  row: AudioBookTime,
  lengthsOf: LengthsOf = unknownLengths,
): Promise<void> {
  const slug = slugOfIri(row.audioBook)
  const lengths = await lengthsOf(slug)
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', tablesOf(db), async () => {
      const place = await db.places.get(slug)
      if (!place) return
      await db.server.put(serverPlace(slug, row))
      await db.twoPlaces.put({ slug, here: pastPlace(place), there: keptPlace(row), foundAtMs: Date.now() })
      await closeWhereOne(db, slug, lengths)
    }),
  )
}

const tablesOf = (db: PlacesDb) => [
  db.places,
  db.chapters,
  db.outbox,
  db.server,
  db.twoPlaces,
  db.history,
  db.settings,
]

/** This device's unsent events are later than the server's current position, so they are based on it. */
async function goOnFrom(db: PlacesDb, slug: string, eventId: string) {
  const waiting = await waitingOf(db, slug)
  await db.outbox.bulkPut(waiting.map((event) => ({ ...event, basedOn: eventId })))
  await db.places.update(slug, { basedOn: eventId })
}

async function adopt(db: PlacesDb, slug: string, place: Place & { fromSeconds: number | null }) {
  // This device stays where it is until the listener has answered.
  if (await db.twoPlaces.get(slug)) return
  const before = await db.places.get(slug)
  if (before && placeDistance(before, place) > TWO_PLACES_SECONDS)
    await rememberPast(db, slug, pastPlace(before))
  await db.places.put({
    slug,
    chapter: place.chapter,
    seconds: place.seconds,
    heardAtMs: Date.parse(place.heardAt),
    eventId: place.eventId,
    deviceId: place.deviceId,
    basedOn: place.eventId,
    fromSeconds: place.fromSeconds ?? undefined,
  })
}

/** The other device's position that this event collided with, whichever of the two is current. */
function elsewhere(event: WaitingEvent, answer: StandingPlace, device: string): DatedPlace | undefined {
  if (!answer.otherPlace) return undefined
  const there = answer.eventId === event.eventId ? answer.otherPlace : answer
  return there.deviceId === device ? undefined : keptPlace(there)
}

const heardOnThisDevice = (event: WaitingEvent, device: string): DatedPlace => ({
  chapter: event.chapter,
  seconds: event.seconds,
  heardAt: new Date(event.heardAtMs).toISOString(),
  eventId: event.eventId,
  deviceId: device,
})

const keptPlace = ({ chapter, seconds, heardAt, eventId, deviceId, device }: Place): DatedPlace => ({
  chapter,
  seconds,
  heardAt,
  eventId,
  deviceId,
  ...(device ? { deviceName: device.name } : {}),
})

const serverPlace = (slug: string, row: Place & { id: string }): ServerPlace => ({
  slug,
  rowId: row.id,
  ...keptPlace(row),
})
