import Type, { type Static } from 'typebox'
import { embedded, Instant, nullable, paging, Uuid } from './atoms.ts'
import { AudioBookCard, EBookCard } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'
import { PAGE_SIZE } from './limits.ts'

/** One owned title: exactly one of `audioBook` and `eBook` is set. */
export const LibraryEntry = embedded('Library', {
  id: Uuid,
  addedAt: Instant,
  audioBook: nullable(AudioBookCard),
  eBook: nullable(EBookCard),
  /** Measured length of each chapter in order, in seconds; progress within the book is calculated from it. */
  chapterSeconds: Type.Array(Type.Number()),
  /** The chapters' titles in the same order; older servers don't send them. */
  chapterTitles: Type.Optional(Type.Array(Type.String())),
})
export type LibraryEntry = Static<typeof LibraryEntry>

/** The caller's own titles, newest first (API-49). */
export const listLibraries = endpoint({
  method: 'GET',
  path: '/api/libraries',
  summary: 'The caller’s titles',
  access: 'user',
  query: Type.Object(paging(PAGE_SIZE.library)),
  reply: collection(LibraryEntry),
})
