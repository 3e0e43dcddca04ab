import type { EBookPlace } from '#contract/reading.ts'
import type { CallInput, CallReply } from '#net/call.ts'
import type { ClockReading } from '#storage/clock.ts'
import { placesDb, type ReadingPlace } from '#storage/places-db.ts'
import { slugOfIri } from '#storage/title-key.ts'
import { nextSequence, thisDeviceId } from './outbox.ts'
import { CONFIRMED, type SendingClocks, syncedTable, unsentAt } from './synced-table.ts'

type Body = CallInput<'POST /api/user_e_book_places'>['body']
type Answer = CallReply<'POST /api/user_e_book_places'>
export type SendReading = (body: Body) => Promise<Answer>

/** A page turn. However often it is sent, its event counts once. */
export interface TurnedTo {
  slug: string
  locator: string
  /** From 0 to 1. */
  share: number
  eventId: string
  clock: ClockReading
}

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
        ...(await unsentAt(db, clock)),
      }
      await db.readings.put(place)
      return place
    }),
  )
}

export const readingOf = (ownerUuid: string, slug: string): Promise<ReadingPlace | undefined> =>
  placesDb.use(ownerUuid, (db) => db.readings.get(slug))

const readings = syncedTable<ReadingPlace, SendReading, Answer>({
  table: (db) => db.readings,
  idOf: ({ slug }) => slug,
  changedAtMs: ({ readAtMs }) => readAtMs,
  isSame: (now, sent) => now.eventId === sent.eventId,
  waiting: (db) => db.readings.filter(({ waiting }) => waiting === 1).toArray(),
  async send(call, row, stamp) {
    const { deviceId, agoSeconds } = await stamp()
    return call(readingBody({ ...row, deviceId }, agoSeconds))
  },
  /** Either the position is confirmed, or another device's is later. */
  async merge(db, sent, answer, isSame) {
    // The reader has read on: the newer place is sent next.
    if (!isSame || !answer) return
    /**
     * Use the server's clock from now on: this device's may be wrong, and the position is compared with other
     * devices'.
     */
    if (answer.eventId === sent.eventId)
      await db.readings.update(sent.slug, { waiting: 0, readAtMs: Date.parse(answer.readAt) })
    else await db.readings.put(confirmedReading(answer))
  },
  givenUp: { waiting: 0 },
})

export const { countWaiting: countReadingsWaiting, applyAnswer } = readings

export const followReadings = (ownerUuid: string, rows: readonly EBookPlace[]): Promise<void> =>
  readings.follow(ownerUuid, rows.map(confirmedReading), ({ waiting }) => waiting === 1)

export const sendReadings = (
  ownerUuid: string,
  { sendReading, ...clocks }: SendingClocks & { sendReading: SendReading },
): Promise<'empty' | 'waiting'> => readings.sendAll(ownerUuid, sendReading, clocks)

/** `ago`: how many seconds ago the page was read, if known. */
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

const confirmedReading = (
  row: Pick<EBookPlace, 'eBook' | 'locator' | 'share' | 'readAt' | 'eventId' | 'deviceId'>,
) => ({
  slug: slugOfIri(row.eBook),
  locator: row.locator,
  share: row.share,
  readAtMs: Date.parse(row.readAt),
  eventId: row.eventId,
  deviceId: row.deviceId,
  sequence: 0,
  ...CONFIRMED,
})
