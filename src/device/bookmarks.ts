import type { Bookmark as ServerBookmark, BookmarkAnswer } from '#contract/bookmarks.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { call, type CallInput } from '#net/call.ts'
import { oneAtATime } from '#net/one-at-a-time.ts'
import { NetProblem } from '#net/problem.ts'
import { clocksAgree, readClock, secondsAgo, type ClockReading } from './clock.ts'
import { knownOffset, nextSequence, outboxLock, thisDeviceId } from './outbox.ts'
import { placesDb, type Bookmark, type BookmarkChange, type PlacesDb } from './places-db.ts'

/** What the listener sees of a bookmark. */
export type BookmarkHere = Pick<Bookmark, 'id' | 'slug' | 'chapter' | 'seconds' | 'note' | 'madeAtMs'>

/** In the order of the book. */
export const listBookmarks = (ownerUuid: string, slug: string): Promise<Bookmark[]> =>
  placesDb.use(ownerUuid, (db) => bookmarksOf(db, slug))

export async function bookmarksOf(db: PlacesDb, slug: string): Promise<Bookmark[]> {
  const marks = await db.bookmarks.where('slug').equals(slug).toArray()
  return marks.sort((a, b) => a.chapter - b.chapter || a.seconds - b.seconds)
}

/** Adds one, or writes the note of one that is there; it waits until the server has it. */
export async function putBookmark(
  ownerUuid: string,
  { id, slug, chapter, seconds, note, madeAtMs }: BookmarkHere,
  clock: ClockReading = readClock(),
): Promise<void> {
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', tablesOf(db), async () => {
      const before = await db.bookmarks.get(id)
      await db.bookmarks.put({ ...before, id, slug, chapter, seconds, note, madeAtMs })
      await writeChange(db, id, 'written', clock)
    }),
  )
}

/** Removing one that is gone is no error. */
export async function removeBookmark(
  ownerUuid: string,
  id: string,
  clock: ClockReading = readClock(),
): Promise<void> {
  await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', tablesOf(db), async () => {
      await db.bookmarks.delete(id)
      // Also where the server was never told: its answer may have been lost.
      await writeChange(db, id, 'removed', clock)
    }),
  )
}

/** How many changes wait for the server; those it refused again and again are not among them. */
export const countBookmarksWaiting = (ownerUuid: string): Promise<number> =>
  placesDb.use(ownerUuid, async (db) => {
    const untold = await untoldBookmarks(db)
    return untold.length + (await waitingChanges(db)).length
  })

export const waitingChanges = (db: PlacesDb): Promise<BookmarkChange[]> =>
  db.bookmarkChanges
    .orderBy('sequence')
    .filter(({ setAside }) => setAside === 0)
    .toArray()

const tablesOf = (db: PlacesDb) => [db.bookmarks, db.bookmarkChanges, db.settings]

/** Only the last change of a bookmark has to be sent. */
async function writeChange(
  db: PlacesDb,
  id: string,
  kind: BookmarkChange['kind'],
  { wallMs, page, pageMs }: ClockReading,
): Promise<void> {
  await db.bookmarkChanges.put({
    id,
    kind,
    eventId: crypto.randomUUID(),
    sequence: await nextSequence(db),
    changedAtMs: wallMs,
    clock: { page, ms: pageMs },
    offsetMs: await knownOffset(db),
    tries: 0,
    setAside: 0,
  })
}

type Body = CallInput<'POST /api/user_bookmarks'>['body']
type Note = CallInput<'PATCH /api/user_bookmarks/{id}'>['body']

export interface BookmarkCalls {
  make: (body: Body) => Promise<BookmarkAnswer>
  write: (id: string, body: Note) => Promise<BookmarkAnswer>
  remove: (id: string, deviceId: string) => Promise<unknown>
}

export function bookmarkCalls(ownerUuid: string): BookmarkCalls {
  const sending = { as: ownerUuid, background: true, timeoutMs: 10_000, keepalive: true }
  return {
    make: (body) => call('POST /api/user_bookmarks', { body, ...sending }),
    write: (id, body) => call('PATCH /api/user_bookmarks/{id}', { params: { id }, body, ...sending }),
    remove: (id, deviceId) =>
      call('DELETE /api/user_bookmarks/{id}', { params: { id }, query: { deviceId }, ...sending }),
  }
}

interface BookmarkPorts {
  bookmarks: BookmarkCalls
  readClock: () => ClockReading
  serverOffset: () => Promise<number | null>
}

const SET_ASIDE_AFTER = 3

/** Sends what waits; call it under the outbox's lock only. Throws what is not about a bookmark itself. */
export async function sendBookmarks(ownerUuid: string, ports: BookmarkPorts): Promise<'empty' | 'waiting'> {
  const changes = await placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', tablesOf(db), async () => {
      // Marked before bookmarks travelled, or by a tab of the release before: it comes along as of when it was made.
      for (const { id, madeAtMs } of await untoldBookmarks(db))
        await writeChange(db, id, 'written', { wallMs: madeAtMs, page: '', pageMs: 0 })
      return waitingChanges(db)
    }),
  )
  let outcome: 'empty' | 'waiting' = 'empty'
  for (const change of changes) {
    try {
      const answer = await send(ownerUuid, change, ports)
      await applyAnswer(ownerUuid, change, answer, ports.readClock().wallMs)
    } catch (problem) {
      if (!(problem instanceof NetProblem) || isNotAboutTheChange(problem)) throw problem
      if (!(await tookAsRemoved(ownerUuid, change, problem))) {
        await countRefusal(ownerUuid, change, problem)
        outcome = 'waiting'
      }
    }
  }
  return outcome
}

/** The server has not been told of them, and nothing waits that will tell it. */
async function untoldBookmarks(db: PlacesDb): Promise<Bookmark[]> {
  const changed = new Set(await db.bookmarkChanges.toCollection().primaryKeys())
  return db.bookmarks.filter(({ id, confirmed }) => confirmed !== 1 && !changed.has(id)).toArray()
}

const isNotAboutTheChange = ({ status, unreachable }: NetProblem) =>
  unreachable || [401, 408, 425, 429].includes(status)

/** Undefined where nothing is left to be said. */
async function send(
  ownerUuid: string,
  change: BookmarkChange,
  { bookmarks, readClock: clockNow, serverOffset }: BookmarkPorts,
): Promise<BookmarkAnswer | undefined> {
  const deviceId = await thisDeviceId()
  if (change.kind === 'removed') {
    await bookmarks.remove(change.id, deviceId)
    return undefined
  }
  const mark = await placesDb.use(ownerUuid, (db) => db.bookmarks.get(change.id))
  if (!mark) return undefined
  const then = { ...change, heardAtMs: change.changedAtMs }
  const now = clockNow()
  const ago = secondsAgo(then, now, clocksAgree(then, now) ? null : await serverOffset())
  const note: Note = {
    note: mark.note,
    eventId: change.eventId,
    deviceId,
    sequence: change.sequence,
    changedAt: new Date(change.changedAtMs).toISOString(),
    ...(ago === undefined ? {} : { agoSeconds: ago }),
  }
  const { id, slug, chapter, seconds } = mark
  return mark.confirmed === 1
    ? bookmarks.write(id, note)
    : bookmarks.make({ id, audioBook: `/api/audio_books/${slug}`, chapter, seconds, ...note })
}

/** The server's word: what was sent waits no longer, and another device's newer note is taken over. */
const applyAnswer = (
  ownerUuid: string,
  sent: BookmarkChange,
  answer: BookmarkAnswer | undefined,
  wallMs: number,
): Promise<void> =>
  placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', tablesOf(db), async () => {
      const isLast = (await db.bookmarkChanges.get(sent.id))?.eventId === sent.eventId
      if (isLast) await db.bookmarkChanges.delete(sent.id)
      if (!answer) return
      await db.settings.put({ name: 'clockOffset', value: Date.parse(answer.serverTime) - wallMs })
      // Written on meanwhile: the newer note is sent the next time. A removed one is not brought back.
      await db.bookmarks.update(sent.id, {
        confirmed: 1,
        ...(isLast ? { note: answer.note, changedAtMs: Date.parse(answer.changedAt) } : {}),
      })
    }),
  )

/** True where the server no longer has the bookmark: a removal wins over whatever was written here. */
async function tookAsRemoved(
  ownerUuid: string,
  change: BookmarkChange,
  { status }: NetProblem,
): Promise<boolean> {
  if (status !== 404 && status !== 409) return false
  return placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', tablesOf(db), async () => {
      const confirmed = (await db.bookmarks.get(change.id))?.confirmed === 1
      // Of one that was never made there, a 404 is about its book.
      if (change.kind === 'written' && status === 404 && !confirmed) return false
      await db.bookmarks.delete(change.id)
      await db.bookmarkChanges.delete(change.id)
      return true
    }),
  )
}

/** A change that is refused again and again stays on this device and is no longer sent. */
const countRefusal = (ownerUuid: string, { id, eventId, tries }: BookmarkChange, problem: NetProblem) =>
  placesDb.use(ownerUuid, (db) =>
    db.transaction('rw', db.bookmarkChanges, async () => {
      if ((await db.bookmarkChanges.get(id))?.eventId !== eventId) return
      const isFinal = problem.kind === 'refused' && tries + 1 >= SET_ASIDE_AFTER
      await db.bookmarkChanges.update(id, { tries: tries + 1, setAside: isFinal ? 1 : 0 })
    }),
  )

export type AskForBookmarks = (slug: string | undefined) => Promise<readonly ServerBookmark[]>

/**
 * Takes in the account's bookmarks, of one book or of all: what is not among them any more was removed elsewhere. Not while
 * something is sent, so that no answer is older than what the device knows. What waits here stays as it is.
 */
export const followBookmarks = (
  ownerUuid: string,
  slug?: string,
  ask: AskForBookmarks = askServer(ownerUuid),
): Promise<void> =>
  oneAtATime(outboxLock(ownerUuid), async () => {
    const known = await placesDb.use(ownerUuid, (db) =>
      db.bookmarks
        .filter((mark) => mark.confirmed === 1 && (slug === undefined || mark.slug === slug))
        .primaryKeys(),
    )
    const rows = await ask(slug)
    const there = new Set(rows.map(({ id }) => id))
    await placesDb.use(ownerUuid, (db) =>
      db.transaction('rw', tablesOf(db), async () => {
        const waiting = new Set(await db.bookmarkChanges.toCollection().primaryKeys())
        await db.bookmarks.bulkDelete(known.filter((id) => !there.has(id) && !waiting.has(id)))
        await db.bookmarks.bulkPut(rows.filter(({ id }) => !waiting.has(id)).map(fromServer))
      }),
    )
  })

const askServer =
  (ownerUuid: string): AskForBookmarks =>
  async (slug) => {
    const audioBook = slug === undefined ? {} : { audioBook: `/api/audio_books/${slug}` }
    const answer = await call('GET /api/user_bookmarks', {
      query: { itemsPerPage: PAGE_SIZE.bookmarks, ...audioBook },
      as: ownerUuid,
      background: true,
    })
    return answer['hydra:member']
  }

const fromServer = ({
  id,
  audioBook,
  chapter,
  seconds,
  note,
  madeAt,
  changedAt,
}: ServerBookmark): Bookmark => ({
  id,
  slug: decodeURIComponent(audioBook.slice(audioBook.lastIndexOf('/') + 1)),
  chapter,
  seconds,
  note,
  madeAtMs: Date.parse(madeAt),
  confirmed: 1,
  changedAtMs: Date.parse(changedAt),
})
