import { DEFAULT_SPEED } from '#contract/player-limits.ts'
import type { AudioBookTime, ChosenSpeed } from '#contract/listening.ts'
import { call, type CallInput, type CallReply } from '#net/call.ts'
import { readClock, type ClockReading } from '#storage/clock.ts'
import { placesDb, type BookSpeed, type PlacesDb } from '#storage/places-db.ts'
import { slugOfIri } from '#storage/title-key.ts'
import { knownOffset } from './outbox.ts'
import { CONFIRMED, type SendingClocks, syncedTable, unsentAt } from './synced-table.ts'

export const speedOf = (ownerUuid: string, slug: string): Promise<number | undefined> =>
  placesDb.use(ownerUuid, async (db) => {
    const own = (await db.speeds.get(slug))?.speed ?? (await olderSpeed(db, slug))
    if (own !== undefined || (await db.places.get(slug))) return own
    return (await chosenLast(db))?.speed
  })

/** Stores the listener's choice. Choosing the book's current speed again changes nothing. */
export async function chooseSpeed(
  ownerUuid: string,
  slug: string,
  speed: number,
  clock: ClockReading = readClock(),
): Promise<void> {
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.speeds, db.settings, async () => {
      if ((await db.speeds.get(slug))?.speed === speed) return
      await db.speeds.put({
        slug,
        speed,
        chosenAtMs: clock.wallMs,
        waiting: 1,
        ...(await unsentAt(db, clock)),
      })
    }),
  )
}

/** A book that starts at the speed chosen for another book stores it as its own, with that choice's time. */
export async function storeBegunSpeed(ownerUuid: string, slug: string, speed: number): Promise<void> {
  if (speed === DEFAULT_SPEED) return
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.speeds, db.settings, async () => {
      if ((await db.speeds.get(slug)) || (await olderSpeed(db, slug)) !== undefined) return
      const last = await chosenLast(db)
      if (last?.speed === speed) await db.speeds.put({ ...last, slug, waiting: 1, tries: 0 })
    }),
  )
}

/** The setting as earlier releases stored it, for this device only. */
async function olderSpeed(db: PlacesDb, slug: string): Promise<number | undefined> {
  const value = (await db.settings.get(`${OLDER}${slug}`))?.value
  return typeof value === 'number' ? value : undefined
}
const OLDER = 'speed/'

async function chosenLast(db: PlacesDb): Promise<BookSpeed | undefined> {
  const offset = (await knownOffset(db)) ?? 0
  const atServer = ({ chosenAtMs, waiting }: BookSpeed) => chosenAtMs + (waiting === 1 ? offset : 0)
  const all = await db.speeds.toArray()
  return all.sort((a, b) => atServer(b) - atServer(a))[0]
}

type Body = CallInput<'PUT /api/user_audio_book_times/{id}/speed'>['body']
type Answer = CallReply<'PUT /api/user_audio_book_times/{id}/speed'>
export type SendSpeed = (rowId: string, body: Body) => Promise<Answer>

export const speedCall =
  (ownerUuid: string): SendSpeed =>
  (id, body) =>
    call('PUT /api/user_audio_book_times/{id}/speed', {
      ...{ params: { id }, body, as: ownerUuid, background: true, timeoutMs: 10_000, keepalive: true },
    })

const speeds = syncedTable<BookSpeed, SendSpeed, Answer>({
  table: (db) => db.speeds,
  alsoUses: (db) => [db.server],
  idOf: ({ slug }) => slug,
  changedAtMs: ({ chosenAtMs }) => chosenAtMs,
  isSame: (now, sent) => now.chosenAtMs === sent.chosenAtMs && now.speed === sent.speed,
  prepare: takeOlderAlong,
  /** A speed can be sent once the server has a row for the book, which is made with the book's first place. */
  async waiting(db) {
    const rows = await db.speeds.filter(({ waiting }) => waiting === 1).toArray()
    const onServer = await db.server.bulkGet(rows.map(({ slug }) => slug))
    return rows.filter((_, index) => onServer[index] !== undefined)
  },
  async send(call, { slug, speed, chosenAtMs }, stamp, ownerUuid) {
    const onServer = await placesDb.use(ownerUuid, (db) => db.server.get(slug))
    return (
      onServer &&
      call(onServer.rowId, { speed, chosenAt: new Date(chosenAtMs).toISOString(), ...(await stamp()) })
    )
  },
  async merge(db, _, answer, isSame) {
    // If another speed has been chosen since, that one is sent next.
    if (answer && isSame) await db.speeds.put(fromServer(answer))
  },
  givenUp: { waiting: 0 },
})

export const { countWaiting: countSpeedsWaiting } = speeds

export const sendSpeeds = (
  ownerUuid: string,
  { sendSpeed, ...clocks }: SendingClocks & { sendSpeed: SendSpeed },
): Promise<'empty' | 'waiting'> => speeds.sendAll(ownerUuid, sendSpeed, clocks)

export const followSpeeds = (ownerUuid: string, chosen: readonly ChosenSpeed[]): Promise<void> =>
  speeds.follow(ownerUuid, chosen.map(fromServer), ({ waiting }) => waiting === 1)

/** Speeds of an earlier release have no known time: every choice with a known time wins over them. */
async function takeOlderAlong(db: PlacesDb): Promise<void> {
  const older = await db.settings.where('name').startsWith(OLDER).toArray()
  for (const { name, value } of older) {
    const slug = name.slice(OLDER.length)
    if (typeof value !== 'number' || (await db.speeds.get(slug))) continue
    await db.speeds.put({ ...CONFIRMED, slug, speed: value, chosenAtMs: 0, waiting: 1 })
  }
}

export const speedsIn = (rows: readonly AudioBookTime[]): ChosenSpeed[] =>
  rows.flatMap(({ audioBook, speed, speedChosenAt, deviceId }) =>
    speed && speedChosenAt ? { audioBook, speed, chosenAt: speedChosenAt, deviceId } : [],
  )

const fromServer = ({ audioBook, speed, chosenAt }: ChosenSpeed): BookSpeed => ({
  slug: slugOfIri(audioBook),
  speed,
  chosenAtMs: Date.parse(chosenAt),
  ...CONFIRMED,
})
