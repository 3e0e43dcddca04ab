import type { EBookPlace } from '#contract/reading.ts'
import type { CallInput, CallReply } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { clocksAgree, secondsAgo, type ClockReading } from '#storage/clock.ts'
import { knownOffset, nextSequence, thisDeviceId } from './outbox.ts'
import { placesDb, type ReadingPlace } from '#storage/places-db.ts'

type Body = CallInput<'POST /api/user_e_book_places'>['body']
type Answer = CallReply<'POST /api/user_e_book_places'>
export type SendReading = (body: Body) => Promise<Answer>

/** A page that was turned to. However it is sent, its event counts once. */
export interface TurnedTo {
  slug: string
  /** EPUB CFI. */
  locator: string
  /** 0 to 1. */
  share: number
  eventId: string
  clock: ClockReading
}

/** Keeps where the reader is in an e-book; it waits until the server has it. */
export async function storeReading(
  ownerUuid: string,
  { slug, locator, share, eventId, clock }: TurnedTo,
): Promise<ReadingPlace> {
  const device = await thisDeviceId()
  return placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.readings, db.settings, async () => {
      const place: ReadingPlace = {
        slug,
        locator,
        share: Math.min(1, Math.max(0, share)),
        readAtMs: clock.wallMs,
        eventId,
        deviceId: device,
        waiting: 1,
        sequence: await nextSequence(db),
        clock: { page: clock.page, ms: clock.pageMs },
        offsetMs: await knownOffset(db),
        tries: 0,
      }
      await db.readings.put(place)
      return place
    }),
  )
}

/** The place to go on from in an e-book, or undefined where it was never opened. */
export const readingOf = (ownerUuid: string, slug: string): Promise<ReadingPlace | undefined> =>
  placesDb.use(ownerUuid, (db) => db.readings.get(slug))

export const countReadingsWaiting = (ownerUuid: string): Promise<number> =>
  placesDb.use(ownerUuid, (db) => db.readings.filter(({ waiting }) => waiting === 1).count())

/** Takes in the account's places. A book with something waiting stays: the server's word on that decides. */
export const followReadings = (ownerUuid: string, rows: readonly EBookPlace[]): Promise<void> =>
  placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.readings, async () => {
      for (const row of rows) {
        const known = await db.readings.get(slugOfIri(row.eBook))
        // An answer may be older than one that was read after it.
        if (known && (known.waiting === 1 || known.readAtMs > Date.parse(row.readAt))) continue
        await db.readings.put(adopted(row))
      }
    }),
  )

interface ReadingPorts {
  sendReading: SendReading
  readClock: () => ClockReading
  serverOffset: () => Promise<number | null>
}

const GIVEN_UP_AFTER = 3

/** Sends what waits; call it under the outbox's lock only. Throws what is not about a place itself. */
export async function sendReadings(
  ownerUuid: string,
  { sendReading, readClock: clockNow, serverOffset }: ReadingPorts,
): Promise<'empty' | 'waiting'> {
  const rows = await placesDb.use(ownerUuid, (db) =>
    db.readings.filter(({ waiting }) => waiting === 1).toArray(),
  )
  let outcome: 'empty' | 'waiting' = 'empty'
  for (const row of rows) {
    const then = { ...row, heardAtMs: row.readAtMs }
    const now = clockNow()
    const ago = secondsAgo(then, now, clocksAgree(then, now) ? null : await serverOffset())
    try {
      const answer = await sendReading(readingBody({ ...row, deviceId: await thisDeviceId() }, ago))
      await applyAnswer(ownerUuid, row, answer, clockNow().wallMs)
    } catch (problem) {
      if (!(problem instanceof NetProblem) || problem.unreachable || problem.status === 401) throw problem
      await countRefusal(ownerUuid, row, problem)
      outcome = 'waiting'
    }
  }
  return outcome
}

/** `ago`: how many seconds before now it was read, where that is known. */
export const readingBody = (
  { slug, locator, share, eventId, deviceId, sequence, readAtMs }: ReadingPlace,
  ago: number | undefined,
): Body => ({
  eBook: `/api/e_books/${slug}`,
  locator,
  share,
  ...(eventId ? { eventId } : {}),
  ...(deviceId ? { deviceId } : {}),
  sequence,
  readAt: new Date(readAtMs).toISOString(),
  ...(ago === undefined ? {} : { agoSeconds: ago }),
})

/** The server's word on a place: it is confirmed, or another device's was read later and is taken over. */
export const applyAnswer = (
  ownerUuid: string,
  sent: ReadingPlace,
  answer: Answer,
  wallMs: number,
): Promise<void> =>
  placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.readings, db.settings, async () => {
      await db.settings.put({ name: 'clockOffset', value: Date.parse(answer.serverTime) - wallMs })
      const now = await db.readings.get(sent.slug)
      // Read on meanwhile: the newer place is sent the next time.
      if (now?.eventId !== sent.eventId) return
      // Dated by the server's clock from now on: this one may be set wrong, and others' places are compared with it.
      if (answer.eventId === sent.eventId)
        await db.readings.update(sent.slug, { waiting: 0, readAtMs: Date.parse(answer.readAt) })
      else await db.readings.put(adopted(answer))
    }),
  )

/** A place that is refused again and again stays on this device and is no longer sent. */
const countRefusal = (ownerUuid: string, { slug, eventId, tries }: ReadingPlace, problem: NetProblem) =>
  placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.readings, async () => {
      if ((await db.readings.get(slug))?.eventId !== eventId) return
      const isFinal = problem.kind === 'refused' && problem.status !== 429 && tries + 1 >= GIVEN_UP_AFTER
      await db.readings.update(slug, { tries: tries + 1, waiting: isFinal ? 0 : 1 })
    }),
  )

const adopted = (
  row: Pick<EBookPlace, 'eBook' | 'locator' | 'share' | 'readAt' | 'eventId' | 'deviceId'>,
) => ({
  slug: slugOfIri(row.eBook),
  locator: row.locator,
  share: row.share,
  readAtMs: Date.parse(row.readAt),
  eventId: row.eventId,
  deviceId: row.deviceId,
  waiting: 0 as const,
  sequence: 0,
  clock: { page: '', ms: 0 },
  offsetMs: null,
  tries: 0,
})

const slugOfIri = (iri: string) => decodeURIComponent(iri.slice(iri.lastIndexOf('/') + 1))
