import { DEFAULT_SPEED } from '#contract/player-limits.ts'
import type { AudioBookTime, ChosenSpeed } from '#contract/listening.ts'
import { call, type CallInput, type CallReply } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { clocksAgree, readClock, secondsAgo, type ClockReading } from '#storage/clock.ts'
import { knownOffset, thisDeviceId } from './outbox.ts'
import { placesDb, type BookSpeed, type PlacesDb } from '#storage/places-db.ts'

/** The speed of a book; one that was never heard has the speed that was chosen last, for whichever book. */
export const speedOf = (ownerUuid: string, slug: string): Promise<number | undefined> =>
  placesDb.use(ownerUuid, async (db) => {
    const own = (await db.speeds.get(slug))?.speed ?? (await olderSpeed(db, slug))
    if (own !== undefined || (await db.places.get(slug))) return own
    return (await chosenLast(db))?.speed
  })

/** The listener chose. The speed that the book has already is no new choice. */
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
        clock: { page: clock.page, ms: clock.pageMs },
        offsetMs: await knownOffset(db),
        waiting: 1,
        tries: 0,
      })
    }),
  )
}

/** A book begins at a speed that was chosen for another: from now on that is its own, as old as that choice. */
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

/** As releases before this one kept it, for this device alone. */
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

interface SpeedPorts {
  sendSpeed: SendSpeed
  readClock: () => ClockReading
  serverOffset: () => Promise<number | null>
}

const GIVEN_UP_AFTER = 3

/** A speed can be sent once its row exists, and the row comes with the book's first place. */
export async function waitingSpeeds(db: PlacesDb): Promise<{ row: BookSpeed; rowId: string }[]> {
  const rows = await db.speeds.filter(({ waiting }) => waiting === 1).toArray()
  const there = await db.server.bulkGet(rows.map(({ slug }) => slug))
  return rows.flatMap((row, index) => {
    const rowId = there[index]?.rowId
    return rowId === undefined ? [] : { row, rowId }
  })
}

export const countSpeedsWaiting = (ownerUuid: string): Promise<number> =>
  placesDb.use(ownerUuid, async (db) => (await waitingSpeeds(db)).length)

/** Sends what waits; call it under the outbox's lock only. Throws what is not about a speed itself. */
export async function sendSpeeds(
  ownerUuid: string,
  { sendSpeed, readClock: clockNow, serverOffset }: SpeedPorts,
): Promise<'empty' | 'waiting'> {
  const waiting = await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.speeds, db.settings, db.server, async () => {
      await takeOlderAlong(db)
      return waitingSpeeds(db)
    }),
  )
  let outcome: 'empty' | 'waiting' = 'empty'
  for (const { row, rowId } of waiting) {
    const then = { ...row, heardAtMs: row.chosenAtMs }
    const now = clockNow()
    const ago = secondsAgo(then, now, clocksAgree(then, now) ? null : await serverOffset())
    try {
      const answer = await sendSpeed(rowId, {
        speed: row.speed,
        deviceId: await thisDeviceId(),
        chosenAt: new Date(row.chosenAtMs).toISOString(),
        ...(ago === undefined ? {} : { agoSeconds: ago }),
      })
      await applyAnswer(ownerUuid, row, answer)
    } catch (problem) {
      if (!(problem instanceof NetProblem) || problem.unreachable || problem.status === 401) throw problem
      await countRefusal(ownerUuid, row, problem)
      outcome = 'waiting'
    }
  }
  return outcome
}

/** Nobody knows when those were chosen: they yield to every choice whose time is known. */
async function takeOlderAlong(db: PlacesDb): Promise<void> {
  const older = await db.settings.where('name').startsWith(OLDER).toArray()
  for (const { name, value } of older) {
    const slug = name.slice(OLDER.length)
    if (typeof value !== 'number' || (await db.speeds.get(slug))) continue
    const never = { chosenAtMs: 0, clock: { page: '', ms: 0 }, offsetMs: null }
    await db.speeds.put({ slug, speed: value, ...never, waiting: 1, tries: 0 })
  }
}

const applyAnswer = (ownerUuid: string, sent: BookSpeed, answer: Answer): Promise<void> =>
  placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.speeds, async () => {
      const now = await db.speeds.get(sent.slug)
      // Chosen anew meanwhile: that is sent the next time.
      if (now && isSame(now, sent)) await db.speeds.put(fromServer(answer))
    }),
  )

/** A speed that is refused again and again stays on this device and is no longer sent. */
const countRefusal = (ownerUuid: string, sent: BookSpeed, problem: NetProblem): Promise<void> =>
  placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.speeds, async () => {
      const now = await db.speeds.get(sent.slug)
      if (!now || !isSame(now, sent)) return
      const tries = sent.tries + 1
      const isFinal = problem.kind === 'refused' && problem.status !== 429 && tries >= GIVEN_UP_AFTER
      await db.speeds.update(sent.slug, { tries, waiting: isFinal ? 0 : 1 })
    }),
  )

const isSame = (one: BookSpeed, other: BookSpeed) =>
  one.chosenAtMs === other.chosenAtMs && one.speed === other.speed

/** Takes in the speeds of the account. A book whose speed waits stays: the server's word on that decides. */
export const followSpeeds = (ownerUuid: string, chosen: readonly ChosenSpeed[]): Promise<void> =>
  placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.speeds, async () => {
      for (const row of chosen.map(fromServer)) {
        const known = await db.speeds.get(row.slug)
        // An answer may be older than one that was read after it.
        if (known && (known.waiting === 1 || known.chosenAtMs > row.chosenAtMs)) continue
        await db.speeds.put(row)
      }
    }),
  )

/** The speeds that lie in rows of places. */
export const speedsIn = (rows: readonly AudioBookTime[]): ChosenSpeed[] =>
  rows.flatMap(({ audioBook, speed, speedChosenAt, deviceId }) =>
    speed && speedChosenAt ? { audioBook, speed, chosenAt: speedChosenAt, deviceId } : [],
  )

const fromServer = ({ audioBook, speed, chosenAt }: ChosenSpeed): BookSpeed => ({
  slug: decodeURIComponent(audioBook.slice(audioBook.lastIndexOf('/') + 1)),
  speed,
  chosenAtMs: Date.parse(chosenAt),
  clock: { page: '', ms: 0 },
  offsetMs: null,
  waiting: 0,
  tries: 0,
})
