import type { Bookmark as ServerBookmark } from '#contract/bookmarks.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { call, type CallInput } from '#net/call.ts'
import type { ClockReading } from '#storage/clock.ts'
import { type MarkCalls, markStore, type SendingClocks, slugOfIri } from './marks.ts'
import { placesDb, type Bookmark, type PlacesDb } from '#storage/places-db.ts'

/** What the listener sees of a bookmark. */
export type BookmarkHere = Pick<Bookmark, 'id' | 'slug' | 'chapter' | 'seconds' | 'note' | 'madeAtMs'>

/** In the order of the book. */
export const listBookmarks = (ownerUuid: string, slug: string): Promise<Bookmark[]> =>
  placesDb.use(ownerUuid, (db) => bookmarksOf(db, slug))

export async function bookmarksOf(db: PlacesDb, slug: string): Promise<Bookmark[]> {
  const marks = await db.bookmarks.where('slug').equals(slug).toArray()
  return marks.sort((a, b) => a.chapter - b.chapter || a.seconds - b.seconds)
}

type Body = CallInput<'POST /api/user_bookmarks'>['body']
export type BookmarkCalls = MarkCalls<Body>

const store = markStore<Bookmark, Body, ServerBookmark>({
  marks: (db) => db.bookmarks,
  changes: (db) => db.bookmarkChanges,
  bodyOf: ({ id, slug, chapter, seconds }, note) => ({
    ...{ id, audioBook: `/api/audio_books/${slug}`, chapter, seconds },
    ...note,
  }),
  fromServer: ({ id, audioBook, chapter, seconds, note, madeAt, changedAt }) => ({
    id,
    slug: slugOfIri(audioBook),
    chapter,
    seconds,
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

/** Adds one, or writes the note of one that is there; it waits until the server has it. */
export const putBookmark = (
  ownerUuid: string,
  { id, slug, chapter, seconds, note, madeAtMs }: BookmarkHere,
  clock?: ClockReading,
): Promise<void> => store.put(ownerUuid, { id, slug, chapter, seconds, note, madeAtMs }, clock)

export const {
  remove: removeBookmark,
  countWaiting: countBookmarksWaiting,
  waiting: waitingChanges,
  follow: followBookmarks,
} = store

export const sendBookmarks = (
  ownerUuid: string,
  { bookmarks, ...clocks }: SendingClocks & { bookmarks: BookmarkCalls },
): Promise<'empty' | 'waiting'> => store.send(ownerUuid, bookmarks, clocks)

export function bookmarkCalls(ownerUuid: string): BookmarkCalls {
  const sending = { as: ownerUuid, background: true, timeoutMs: 10_000, keepalive: true }
  return {
    make: (body) => call('POST /api/user_bookmarks', { body, ...sending }),
    write: (id, body) => call('PATCH /api/user_bookmarks/{id}', { params: { id }, body, ...sending }),
    remove: (id, deviceId) =>
      call('DELETE /api/user_bookmarks/{id}', { params: { id }, query: { deviceId }, ...sending }),
  }
}
