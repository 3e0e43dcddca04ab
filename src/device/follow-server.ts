import { TWO_PLACES_SECONDS } from '#contract/limits.ts'
import type { AudioBookTime, AudioBookTimeAnswer, Place } from '#contract/listening.ts'
import { readClock, type ClockReading } from './clock.ts'
import { pastPlace, rememberPast } from './history.ts'
import { enter, thisDevice, waitingOf } from './outbox.ts'
import { placeDistance } from './place-distance.ts'
import { placesDb, type KeptPlace, type PlacesDb, type ServerPlace, type WaitingEvent } from './places-db.ts'

/** Chapter lengths of a book where the device knows them; without, a place in another chapter counts as far. */
export type LengthsOf = (slug: string) => Promise<ReadonlyMap<number, number>>

const unknownLengths: LengthsOf = async () => new Map()

/** The server's word on an event: it leaves the outbox, and the device learns what stands. */
export async function settleEvent(
  ownerUuid: string,
  event: WaitingEvent,
  answer: AudioBookTimeAnswer,
  wallMs: number,
): Promise<void> {
  const device = await thisDevice()
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', tablesOf(db), async () => {
      await db.outbox.delete(event.eventId)
      await db.server.put(serverPlace(event.slug, answer))
      await db.settings.put({ name: 'clockOffset', value: Date.parse(answer.serverTime) - wallMs })

      const there = elsewhere(event, answer, device)
      const waiting = await waitingOf(db, event.slug)
      if (answer.eventId === event.eventId) await goOnFrom(db, event.slug, event.eventId)
      // Asked already: a later event was chosen in knowledge of that place.
      if (there && !waiting.some(({ basedOn }) => basedOn !== null && basedOn === there.eventId)) {
        await db.twoPlaces.put({ slug: event.slug, here: heardHere(event, device), there, foundAtMs: wallMs })
      } else if (!there && answer.eventId !== event.eventId && waiting.length === 0) {
        await adopt(db, event.slug, answer)
      }
    }),
  )
}

/**
 * Takes in the resume points of the account. A book with nothing waiting follows the server; one that moved
 * here as well becomes a question for the listener.
 */
export async function followServer(
  ownerUuid: string,
  rows: readonly AudioBookTime[],
  lengthsOf: LengthsOf = unknownLengths,
): Promise<void> {
  const device = await thisDevice()
  const waiting = new Set(
    await placesDb.use(ownerUuid, (db) => db.outbox.orderBy('slug').uniqueKeys() as Promise<string[]>),
  )
  for (const row of rows) {
    const slug = slugOfIri(row.audioBook)
    // Asked only where two places may have to be compared: it may cost a request.
    const lengths = waiting.has(slug) ? await lengthsOf(slug) : new Map<number, number>()
    await placesDb.use(ownerUuid, (db) =>
      db.transaction('rw', tablesOf(db), async () => {
        // An answer may be older than one that was read after it: what stands was never heard earlier.
        const known = await db.server.get(slug)
        if (known && Date.parse(row.heardAt) < Date.parse(known.heardAt)) return
        await db.server.put(serverPlace(slug, row))
        const place = await db.places.get(slug)
        const last = (await waitingOf(db, slug)).at(-1)
        if (!place || !last) {
          if (place?.eventId !== row.eventId || row.eventId === null) await adopt(db, slug, row)
          return
        }
        // Ours, though its answer was lost on the way: what was heard since goes on from it.
        if (row.deviceId === device && row.eventId) return goOnFrom(db, slug, row.eventId)
        if (row.eventId === place.basedOn || placeDistance(last, row, lengths) <= TWO_PLACES_SECONDS) return
        await db.twoPlaces.put({
          slug,
          here: heardHere(last, device),
          there: keptPlace(row),
          foundAtMs: Date.now(),
        })
      }),
    )
  }
}

/** The listener chose. The chosen place is heard now, so it stands; the other one stays in the history. */
export async function choosePlace(
  ownerUuid: string,
  slug: string,
  choice: 'here' | 'there',
  clock: ClockReading = readClock(),
): Promise<KeptPlace | undefined> {
  const device = await thisDevice()
  return placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', tablesOf(db), async () => {
      const question = await db.twoPlaces.get(slug)
      if (!question) return undefined
      const [taken, left] =
        choice === 'here' ? [question.here, question.there] : [question.there, question.here]
      const basedOn = (await db.server.get(slug))?.eventId ?? question.there.eventId
      await rememberPast(db, slug, left)
      await enter(db, { slug, chapter: taken.chapter, seconds: taken.seconds }, { clock, device, basedOn })
      await db.twoPlaces.delete(slug)
      return taken
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

/** Later events of this device knew of the one that stands now, whatever they were based on when recorded. */
async function goOnFrom(db: PlacesDb, slug: string, eventId: string) {
  const waiting = await waitingOf(db, slug)
  await db.outbox.bulkPut(waiting.map((event) => ({ ...event, basedOn: eventId })))
  await db.places.update(slug, { basedOn: eventId })
}

async function adopt(db: PlacesDb, slug: string, place: Place) {
  // While the listener is being asked, this device stays where it is.
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
  })
}

/** The place of another device that this event collided with, whichever of the two stands. */
function elsewhere(event: WaitingEvent, answer: AudioBookTimeAnswer, device: string): KeptPlace | undefined {
  if (!answer.otherPlace) return undefined
  const there = answer.eventId === event.eventId ? answer.otherPlace : answer
  return there.deviceId === device ? undefined : keptPlace(there)
}

const heardHere = (event: WaitingEvent, device: string): KeptPlace => ({
  chapter: event.chapter,
  seconds: event.seconds,
  heardAt: new Date(event.heardAtMs).toISOString(),
  eventId: event.eventId,
  deviceId: device,
})

const keptPlace = ({ chapter, seconds, heardAt, eventId, deviceId }: Place): KeptPlace => ({
  chapter,
  seconds,
  heardAt,
  eventId,
  deviceId,
})

const serverPlace = (slug: string, row: Place & { id: string }): ServerPlace => ({
  slug,
  rowId: row.id,
  ...keptPlace(row),
})

const slugOfIri = (iri: string) => decodeURIComponent(iri.slice(iri.lastIndexOf('/') + 1))
