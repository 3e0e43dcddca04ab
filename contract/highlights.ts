import Type, { type Static } from 'typebox'
import { embedded, Instant, NullableString, paging, Uuid } from './atoms.ts'
import { EarlierNote, MarkById, noteChange } from './bookmarks.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { BOOKMARK_NOTE_LENGTH, PAGE_SIZE } from './limits.ts'

/**
 * A marked passage of an e-book with a note (docs/product.md, Highlights). The rules of bookmarks apply: the device
 * generates `id`, the place is fixed, the note can change.
 */
const highlightFields = {
  id: Uuid,
  /** IRI by slug. */
  eBook: Type.String(),
  /** The passage as an EPUB CFI. */
  locator: Type.String(),
  /** The share of the book before the passage, from 0 to 1; determines the order. */
  share: Type.Number({ minimum: 0, maximum: 1 }),
  /** The text of the passage, which can be shown without the book. */
  quote: Type.String(),
  /** The heading in the table of contents; empty if unknown. */
  chapter: Type.String(),
  note: Type.String(),
  madeAt: Instant,
  /** When the current note was written, by the server's clock. */
  changedAt: Instant,
  eventId: NullableString,
  deviceId: NullableString,
}
export const Highlight = embedded('UserHighlight', highlightFields)
export type Highlight = Static<typeof Highlight>
export const HighlightAnswer = item('UserHighlight', { ...highlightFields, serverTime: Instant })
export type HighlightAnswer = Static<typeof HighlightAnswer>

/** Ordered by place within each book. An account's highlights always fit on one page. */
export const listHighlights = endpoint({
  method: 'GET',
  path: '/api/user_highlights',
  summary: 'The caller’s highlights',
  access: 'user',
  notInView: true,
  query: Type.Object({
    ...paging(30, PAGE_SIZE.bookmarks),
    eBook: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  reply: collection(Highlight),
})
/** 201 for a new one; 200 if it exists, and then its note changes. 409 if it was removed. */
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
/** 404 if it was removed. */
export const changeHighlight = endpoint({
  method: 'PATCH',
  path: '/api/user_highlights/{id}',
  summary: 'The note of a highlight was written',
  access: 'user',
  params: MarkById,
  body: Type.Object(noteChange),
  reply: HighlightAnswer,
})
/** Takes precedence over every change, regardless of time. A repeat changes nothing. */
export const removeHighlight = endpoint({
  method: 'DELETE',
  path: '/api/user_highlights/{id}',
  summary: 'A highlight was removed',
  access: 'user',
  params: MarkById,
  status: 204,
})
/** The last 50 replaced notes, newest first. */
export const listHighlightNotes = endpoint({
  method: 'GET',
  path: '/api/user_highlights/{id}/history',
  summary: 'Earlier notes of a highlight',
  access: 'user',
  notInView: true,
  params: MarkById,
  reply: collection(EarlierNote),
})
