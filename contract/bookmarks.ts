import Type, { type Static } from 'typebox'
import { embedded, Instant, NullableString, paging, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { BOOKMARK_NOTE_LENGTH, PAGE_SIZE } from './limits.ts'

/**
 * A place in an audiobook with a note (docs/product.md, Bookmarks). The device that creates the bookmark generates
 * `id`, so a repeated request creates no second one. The place is fixed; the note can change.
 */
const bookmarkFields = {
  id: Uuid,
  /** IRI by slug. */
  audioBook: Type.String(),
  chapter: Type.Integer(),
  seconds: Type.Number(),
  /** The sentence of the e-book that was spoken there; empty if the device didn't know it for certain. */
  sentence: Type.String(),
  note: Type.String(),
  madeAt: Instant,
  /** When the current note was written, by the server's clock. */
  changedAt: Instant,
  eventId: NullableString,
  deviceId: NullableString,
}
export const Bookmark = embedded('UserBookmark', bookmarkFields)
export type Bookmark = Static<typeof Bookmark>
export const BookmarkAnswer = item('UserBookmark', { ...bookmarkFields, serverTime: Instant })
export type BookmarkAnswer = Static<typeof BookmarkAnswer>

/** A note that a newer one replaced. */
export const EarlierNote = Type.Object({ note: Type.String(), changedAt: Instant, deviceId: NullableString })

/**
 * The rules of listening apply: `agoSeconds`, measured by a monotonic clock, takes precedence over `changedAt`, the
 * device's clock; `eventId` makes the request idempotent. Without them, a change counts as made on arrival.
 */
export const noteChange = {
  note: Type.String({ maxLength: BOOKMARK_NOTE_LENGTH }),
  eventId: Type.Optional(Uuid),
  deviceId: Type.Optional(Uuid),
  sequence: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  changedAt: Type.Optional(Instant),
  agoSeconds: Type.Optional(Type.Number({ minimum: 0 })),
}

export const MarkById = Type.Object({ id: Type.String({ maxLength: 64 }) })

/** Ordered by place within each book. An account's bookmarks always fit on one page. */
export const listBookmarks = endpoint({
  method: 'GET',
  path: '/api/user_bookmarks',
  summary: 'The caller’s bookmarks',
  access: 'user',
  notInView: true,
  query: Type.Object({
    ...paging(30, PAGE_SIZE.bookmarks),
    audioBook: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  reply: collection(Bookmark),
})
/**
 * 201 for a new one; 200 if it exists, and then its note changes. 409 if it was removed. `sound` is the SHA-256 of the
 * chapter's file, as for places: a device that was offline may send the number that the chapter had before.
 */
export const makeBookmark = endpoint({
  method: 'POST',
  path: '/api/user_bookmarks',
  summary: 'A place was bookmarked',
  access: 'user',
  body: Type.Object({
    id: Uuid,
    audioBook: Type.String({ pattern: '^/api/audio_books/[^/]+$', maxLength: 200 }),
    chapter: Type.Integer({ minimum: 1, maximum: 100_000 }),
    seconds: Type.Number(),
    sound: Type.Optional(Type.String({ pattern: '^[0-9a-f]{64}$' })),
    sentence: Type.Optional(Type.String({ maxLength: BOOKMARK_NOTE_LENGTH })),
    ...noteChange,
  }),
  reply: BookmarkAnswer,
})
/** 404 if it was removed. */
export const changeBookmark = endpoint({
  method: 'PATCH',
  path: '/api/user_bookmarks/{id}',
  summary: 'The note of a bookmark was written',
  access: 'user',
  params: MarkById,
  body: Type.Object(noteChange),
  reply: BookmarkAnswer,
})
/** Takes precedence over every change, regardless of time. A repeat changes nothing. */
export const removeBookmark = endpoint({
  method: 'DELETE',
  path: '/api/user_bookmarks/{id}',
  summary: 'A bookmark was removed',
  access: 'user',
  params: MarkById,
  query: Type.Object({ deviceId: Type.Optional(Uuid) }),
  status: 204,
})
/** The last 50 replaced notes, newest first. */
export const listEarlierNotes = endpoint({
  method: 'GET',
  path: '/api/user_bookmarks/{id}/history',
  summary: 'Earlier notes of a bookmark',
  access: 'user',
  notInView: true,
  params: MarkById,
  reply: collection(EarlierNote),
})
