import Type, { type Static } from 'typebox'
import { embedded, Instant, NullableString, paging, Uuid } from './atoms.ts'
import { EarlierNote, MarkById, noteChange } from './bookmarks.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { BOOKMARK_NOTE_LENGTH, PAGE_SIZE } from './limits.ts'

/**
 * Words of an e-book that somebody marked, with a note (docs/product.md, Highlights). The rules are those of bookmarks: `id` is
 * made by the device, the place stays, the note changes.
 */
const highlightFields = {
  id: Uuid,
  /** IRI by slug. */
  eBook: Type.String(),
  /** The marked words as an EPUB CFI. */
  locator: Type.String(),
  /** How much of the book lies before them, 0 to 1: their order. */
  share: Type.Number({ minimum: 0, maximum: 1 }),
  /** The words themselves, so that they are read without the book. */
  quote: Type.String(),
  /** What the book's contents call the place; empty where they say nothing. */
  chapter: Type.String(),
  note: Type.String(),
  madeAt: Instant,
  /** When the note that holds was written, by the server's clock. */
  changedAt: Instant,
  eventId: NullableString,
  deviceId: NullableString,
}
export const Highlight = embedded('UserHighlight', highlightFields)
export type Highlight = Static<typeof Highlight>
export const HighlightAnswer = item('UserHighlight', { ...highlightFields, serverTime: Instant })
export type HighlightAnswer = Static<typeof HighlightAnswer>

/** In the order of each book. An account's highlights always fit on one page. */
export const listHighlights = endpoint({
  method: 'GET',
  path: '/api/user_highlights',
  summary: 'The caller’s highlights',
  access: 'user',
  query: Type.Object({
    ...paging(30, PAGE_SIZE.bookmarks),
    eBook: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  reply: collection(Highlight),
})
/** 201 for a new one; 200 where it is there already, and then its note changes. 409 where it was removed. */
export const makeHighlight = endpoint({
  method: 'POST',
  path: '/api/user_highlights',
  summary: 'Words were highlighted',
  access: 'user',
  body: Type.Object({
    id: Uuid,
    eBook: Type.String({ pattern: '^/api/e_books/[^/]+$', maxLength: 200 }),
    locator: Type.String({ pattern: '^epubcfi\\([^\\u0000-\\u001f]+\\)$', maxLength: 1000 }),
    share: Type.Number({ minimum: 0, maximum: 1 }),
    quote: Type.String({ minLength: 1, maxLength: BOOKMARK_NOTE_LENGTH }),
    chapter: Type.String({ maxLength: 300 }),
    ...noteChange,
  }),
  reply: HighlightAnswer,
})
/** 404 where it was removed. */
export const changeHighlight = endpoint({
  method: 'PATCH',
  path: '/api/user_highlights/{id}',
  summary: 'The note of a highlight was written',
  access: 'user',
  params: MarkById,
  body: Type.Object(noteChange),
  reply: HighlightAnswer,
})
/** Wins over every change, whenever that was made. A repeat changes nothing. */
export const removeHighlight = endpoint({
  method: 'DELETE',
  path: '/api/user_highlights/{id}',
  summary: 'A highlight was removed',
  access: 'user',
  params: MarkById,
  status: 204,
})
/** The last 50 notes that gave way to a newer one, newest first. */
export const listHighlightNotes = endpoint({
  method: 'GET',
  path: '/api/user_highlights/{id}/history',
  summary: 'Earlier notes of a highlight',
  access: 'user',
  params: MarkById,
  reply: collection(EarlierNote),
})
