import type { Table } from 'dexie'
import type { Bookmark as ServerBookmark } from '#contract/bookmarks.ts'
import type { Highlight as ServerHighlight } from '#contract/highlights.ts'
import { BOOKMARK_NOTE_LENGTH, PAGE_SIZE } from '#contract/limits.ts'
import { call, type CallInput } from '#net/call.ts'
import { readClock, type ClockReading } from '#storage/clock.ts'
import {
  type Bookmark,
  type Highlight,
  type MarkChange,
  placesDb,
  type PlacesDb,
} from '#storage/places-db.ts'
import { slugOfIri } from '#storage/title-key.ts'
import { nextSequence, thisDeviceId } from './outbox.ts'
import { replaceConfirmed, type SendingClocks, type Stamp, syncedTable, unsentAt } from './synced-table.ts'

/** The fields that bookmarks and highlights share: a fixed place, and a note that can change. */
type Mark = Omit<Bookmark, 'chapter' | 'seconds' | 'sound' | 'sentence'>

interface SentNote extends Stamp {
  note: string
  eventId: string
  sequence: number
  changedAt: string
}

interface Answer {
  note: string
  changedAt: string
  serverTime: string
}

interface MarkCalls<Body> {
  make: (body: Body) => Promise<Answer>
  write: (id: string, note: SentNote) => Promise<Answer>
  remove: (id: string, deviceId: string) => Promise<unknown>
}

interface MarkKind<M extends Mark, Body, Row> {
  marks: (db: PlacesDb) => Table<M, string>
  changes: (db: PlacesDb) => Table<MarkChange, string>
  /** The request body that creates the mark on the server. */
  bodyOf: (mark: M, note: SentNote) => Body
  fromServer: (row: Row) => M
  ask: (ownerUuid: string, slug: string | undefined) => Promise<readonly Row[]>
}

/**
 * Marks of one kind. A mark and its unsent change are in two tables, because the change also outlives the mark's removal;
 * a removal wins over every note.
 */
function markStore<M extends Mark, Body, Row extends { id: string }>({
  marks,
  changes,
  bodyOf,
  fromServer,
  ask,
}: MarkKind<M, Body, Row>) {
  const waiting = (db: PlacesDb): Promise<MarkChange[]> =>
    changes(db)
      .orderBy('sequence')
      .filter(({ setAside }) => setAside === 0)
      .toArray()

  /** Marks that the server doesn't have and that have no change: created by an earlier release. */
  async function untold(db: PlacesDb): Promise<M[]> {
    const changed = new Set<string>((await changes(db).toArray()).map(({ id }) => id))
    return marks(db)
      .filter(({ id, confirmed }) => confirmed !== 1 && !changed.has(id))
      .toArray()
  }

  async function writeChange(
    db: PlacesDb,
    id: string,
    kind: MarkChange['kind'],
    clock: ClockReading,
  ): Promise<void> {
    await changes(db).put({
      id,
      kind,
      eventId: crypto.randomUUID(),
      sequence: await nextSequence(db),
      changedAtMs: clock.wallMs,
      ...(await unsentAt(db, clock)),
      setAside: 0,
    })
  }

  const table = syncedTable<MarkChange, MarkCalls<Body>, Answer>({
    table: changes,
    alsoUses: (db) => [marks(db)],
    idOf: ({ id }) => id,
    changedAtMs: ({ changedAtMs }) => changedAtMs,
    isSame: (now, sent) => now.eventId === sent.eventId,
    async prepare(db) {
      for (const { id, madeAtMs } of await untold(db))
        await writeChange(db, id, 'written', { wallMs: madeAtMs, page: '', pageMs: 0 })
    },
    waiting,
    async send(calls, change, stamp, ownerUuid) {
      if (change.kind === 'removed') {
        await calls.remove(change.id, await thisDeviceId())
        return undefined
      }
      const mark = await placesDb.use(ownerUuid, (db) => marks(db).get(change.id))
      if (!mark) return undefined
      const note: SentNote = {
        note: mark.note,
        eventId: change.eventId,
        sequence: change.sequence,
        changedAt: new Date(change.changedAtMs).toISOString(),
        ...(await stamp()),
      }
      return mark.confirmed === 1 ? calls.write(mark.id, note) : calls.make(bodyOf(mark, note))
    },
    async merge(db, sent, answer, isSame) {
      if (isSame) await changes(db).delete(sent.id)
      // A mark that was removed meanwhile is not brought back.
      const known = answer && (await marks(db).get(sent.id))
      if (known)
        await marks(db).put({
          ...known,
          confirmed: 1,
          // If the note has changed since, the newer note is sent next.
          ...(isSame ? { note: answer.note, changedAtMs: Date.parse(answer.changedAt) } : {}),
        })
    },
    async mergeRefusal(db, change, { status }) {
      if (status !== 404 && status !== 409) return false
      const isConfirmed = (await marks(db).get(change.id))?.confirmed === 1
      // For a mark that the server never had, a 404 is about its book.
      if (change.kind === 'written' && status === 404 && !isConfirmed) return false
      await marks(db).delete(change.id)
      await changes(db).delete(change.id)
      return true
    },
    givenUp: { setAside: 1 },
  })

  return {
    waiting,
    send: table.sendAll,

    put: (ownerUuid: string, mark: M, clock: ClockReading = readClock()): Promise<void> =>
      table.inTransaction(ownerUuid, async (db) => {
        const before = await marks(db).get(mark.id)
        await marks(db).put({ ...before, ...mark })
        await writeChange(db, mark.id, 'written', clock)
      }),

    remove: (ownerUuid: string, id: string, clock: ClockReading = readClock()): Promise<void> =>
      table.inTransaction(ownerUuid, async (db) => {
        await marks(db).delete(id)
        // Also for a mark without confirmation: the server's answer may have been lost.
        await writeChange(db, id, 'removed', clock)
        // The account was full and has room now: send the refused marks again after this removal.
        const refused = await changes(db)
          .filter(({ setAside }) => setAside === 1)
          .toArray()
        for (const change of refused)
          await changes(db).put({ ...change, sequence: await nextSequence(db), tries: 0, setAside: 0 })
      }),

    /** Excludes changes that were given up. */
    countWaiting: (ownerUuid: string): Promise<number> =>
      placesDb.use(ownerUuid, async (db) => (await untold(db)).length + (await waiting(db)).length),

    follow: (
      ownerUuid: string,
      slug?: string,
      asked: (slug: string | undefined) => Promise<readonly Row[]> = (of) => ask(ownerUuid, of),
    ): Promise<void> =>
      replaceConfirmed(ownerUuid, {
        table: marks,
        changes,
        confirmed: (mark) => mark.confirmed === 1 && (slug === undefined || mark.slug === slug),
        waiting: (db) => changes(db).toArray(),
        ask: async () => (await asked(slug)).map(fromServer),
      }),
  }
}

export type BookmarkHere = Omit<Bookmark, 'confirmed' | 'changedAtMs'>

/** Sorted by their place in the book. */
export const listBookmarks = (ownerUuid: string, slug: string): Promise<Bookmark[]> =>
  placesDb.use(ownerUuid, (db) => bookmarksOf(db, slug))

export async function bookmarksOf(db: PlacesDb, slug: string): Promise<Bookmark[]> {
  const marks = await db.bookmarks.where('slug').equals(slug).toArray()
  return marks.sort((a, b) => a.chapter - b.chapter || a.seconds - b.seconds)
}

type BookmarkBody = CallInput<'POST /api/user_bookmarks'>['body']
export type BookmarkCalls = MarkCalls<BookmarkBody>

const bookmarks = markStore<Bookmark, BookmarkBody, ServerBookmark>({
  marks: (db) => db.bookmarks,
  changes: (db) => db.bookmarkChanges,
  bodyOf: ({ id, slug, chapter, seconds, sound, sentence }, note) => ({
    ...{ id, audioBook: `/api/audio_books/${slug}`, chapter, seconds },
    ...(sound === undefined ? {} : { sound }),
    ...(sentence === undefined ? {} : { sentence: sentence.slice(0, BOOKMARK_NOTE_LENGTH) }),
    ...note,
  }),
  fromServer: ({ id, audioBook, chapter, seconds, sentence, note, madeAt, changedAt }) => ({
    id,
    slug: slugOfIri(audioBook),
    chapter,
    seconds,
    ...(sentence ? { sentence } : {}),
    note,
    madeAtMs: Date.parse(madeAt),
    confirmed: 1,
    changedAtMs: Date.parse(changedAt),
  }),
  async ask(ownerUuid, slug) {
    const audioBook = slug === undefined ? {} : { audioBook: `/api/audio_books/${slug}` }
    const query = { itemsPerPage: PAGE_SIZE.bookmarks, ...audioBook }
    const answer = await call('GET /api/user_bookmarks', { query, as: ownerUuid, background: true })
    return answer['hydra:member']
  },
})

export const putBookmark = (
  ownerUuid: string,
  { id, slug, chapter, seconds, sound, sentence, note, madeAtMs }: BookmarkHere,
  clock?: ClockReading,
): Promise<void> =>
  bookmarks.put(
    ownerUuid,
    {
      ...{ id, slug, chapter, seconds, note, madeAtMs },
      ...(sound === undefined ? {} : { sound }),
      ...(sentence === undefined ? {} : { sentence }),
    },
    clock,
  )

export const {
  remove: removeBookmark,
  countWaiting: countBookmarksWaiting,
  waiting: waitingBookmarks,
  follow: followBookmarks,
} = bookmarks

export const sendBookmarks = (
  ownerUuid: string,
  { bookmarks: calls, ...clocks }: SendingClocks & { bookmarks: BookmarkCalls },
): Promise<'empty' | 'waiting'> => bookmarks.send(ownerUuid, calls, clocks)

export function bookmarkCalls(ownerUuid: string): BookmarkCalls {
  const sending = { as: ownerUuid, background: true, timeoutMs: 10_000, keepalive: true }
  return {
    make: (body) => call('POST /api/user_bookmarks', { body, ...sending }),
    write: (id, body) => call('PATCH /api/user_bookmarks/{id}', { params: { id }, body, ...sending }),
    remove: (id, deviceId) =>
      call('DELETE /api/user_bookmarks/{id}', { params: { id }, query: { deviceId }, ...sending }),
  }
}

export type HighlightHere = Omit<Highlight, 'confirmed' | 'changedAtMs'>

/** Sorted by their place in the book. */
export async function highlightsOf(db: PlacesDb, slug: string): Promise<Highlight[]> {
  const marks = await db.highlights.where('slug').equals(slug).toArray()
  return marks.sort((a, b) => a.share - b.share || a.madeAtMs - b.madeAtMs)
}

type HighlightBody = CallInput<'POST /api/user_highlights'>['body']
export type HighlightCalls = MarkCalls<HighlightBody>

const highlights = markStore<Highlight, HighlightBody, ServerHighlight>({
  marks: (db) => db.highlights,
  changes: (db) => db.highlightChanges,
  bodyOf: ({ id, slug, locator, share, quote, chapter }, note) => ({
    ...{ id, eBook: `/api/e_books/${slug}`, locator, share, quote, chapter },
    ...note,
  }),
  fromServer: ({ id, eBook, locator, share, quote, chapter, note, madeAt, changedAt }) => ({
    id,
    slug: slugOfIri(eBook),
    locator,
    share,
    quote,
    chapter,
    note,
    madeAtMs: Date.parse(madeAt),
    confirmed: 1,
    changedAtMs: Date.parse(changedAt),
  }),
  async ask(ownerUuid, slug) {
    const eBook = slug === undefined ? {} : { eBook: `/api/e_books/${slug}` }
    const query = { itemsPerPage: PAGE_SIZE.bookmarks, ...eBook }
    const answer = await call('GET /api/user_highlights', { query, as: ownerUuid, background: true })
    return answer['hydra:member']
  },
})

export const putHighlight = (
  ownerUuid: string,
  { id, slug, locator, share, quote, chapter, note, madeAtMs }: HighlightHere,
  clock?: ClockReading,
): Promise<void> =>
  highlights.put(ownerUuid, { id, slug, locator, share, quote, chapter, note, madeAtMs }, clock)

export const {
  remove: removeHighlight,
  countWaiting: countHighlightsWaiting,
  follow: followHighlights,
} = highlights

export const sendHighlights = (
  ownerUuid: string,
  { highlights: calls, ...clocks }: SendingClocks & { highlights: HighlightCalls },
): Promise<'empty' | 'waiting'> => highlights.send(ownerUuid, calls, clocks)

export function highlightCalls(ownerUuid: string): HighlightCalls {
  const sending = { as: ownerUuid, background: true, timeoutMs: 10_000, keepalive: true }
  return {
    make: (body) => call('POST /api/user_highlights', { body, ...sending }),
    write: (id, body) => call('PATCH /api/user_highlights/{id}', { params: { id }, body, ...sending }),
    remove: (id) => call('DELETE /api/user_highlights/{id}', { params: { id }, ...sending }),
  }
}
