import Type, { type Static } from 'typebox'
import { embedded, Instant, NullableString, paging, Uuid, VISIBLE_LINE } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { LIST_SIZE, SHELF_NAME_LENGTH } from './limits.ts'

/**
 * Titles in the listener's own order: the queue and shelves (docs/product.md, Queue and shelves). Each row has an id
 * that the device generates, and a `position`: a fraction, so that moving one row changes no other. Rows are ordered by
 * `position` as text, byte by byte, and then by id if two devices chose the same position.
 */
const heldFields = {
  id: Uuid,
  position: Type.String(),
  /** When the current state was set, by the server's clock. */
  changedAt: Instant,
  eventId: NullableString,
  deviceId: NullableString,
  /** Only in the response to a change: the row is removed, by this change or by a newer one. */
  removed: Type.Boolean(),
}

/**
 * The whole row in its new state. The newer change wins, also a removal; the rules of listening apply: `agoSeconds`,
 * measured by a monotonic clock, takes precedence over `changedAt`, and `eventId` makes the request idempotent.
 */
const changeFields = {
  position: Type.String({ pattern: '^[0-9A-Za-z]+$', maxLength: 200 }),
  removed: Type.Optional(Type.Boolean()),
  eventId: Type.Optional(Uuid),
  deviceId: Type.Optional(Uuid),
  sequence: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  changedAt: Type.Optional(Instant),
  agoSeconds: Type.Optional(Type.Number({ minimum: 0 })),
}
const answerFields = { serverTime: Instant }
const ById = Type.Object({ id: Uuid })

const queueFields = {
  ...heldFields,
  /** IRI by slug. */
  audioBook: Type.String(),
}
export const QueuedTitle = embedded('UserQueue', queueFields)
export type QueuedTitle = Static<typeof QueuedTitle>
export const QueueAnswer = item('UserQueue', { ...queueFields, ...answerFields })

/** In order. An account's queue always fits on one page, and so do its shelves. */
export const listQueue = endpoint({
  method: 'GET',
  path: '/api/user_queue',
  summary: 'What the caller hears next',
  access: 'user',
  notInView: true,
  query: Type.Object(paging(LIST_SIZE.queue, LIST_SIZE.queue)),
  reply: collection(QueuedTitle),
})
/** 404 for a title that the caller does not own, and 422 if the queue is full. */
export const putInQueue = endpoint({
  method: 'PUT',
  path: '/api/user_queue/{id}',
  summary: 'A title was put in the queue, moved or taken out',
  access: 'user',
  params: ById,
  body: Type.Object({
    audioBook: Type.String({ pattern: '^/api/audio_books/[^/]+$', maxLength: 200 }),
    ...changeFields,
  }),
  reply: QueueAnswer,
})

const shelfFields = { ...heldFields, name: Type.String() }
export const Shelf = embedded('UserShelf', shelfFields)
export type Shelf = Static<typeof Shelf>
export const ShelfAnswer = item('UserShelf', { ...shelfFields, ...answerFields })

export const listShelves = endpoint({
  method: 'GET',
  path: '/api/user_shelves',
  summary: 'The caller’s own shelves',
  access: 'user',
  notInView: true,
  query: Type.Object(paging(LIST_SIZE.shelves, LIST_SIZE.shelves)),
  reply: collection(Shelf),
})
/** When a shelf is removed, its titles' rows stay but are no longer shown. */
export const putShelf = endpoint({
  method: 'PUT',
  path: '/api/user_shelves/{id}',
  summary: 'A shelf was put up, renamed, moved or taken down',
  access: 'user',
  params: ById,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: SHELF_NAME_LENGTH, pattern: VISIBLE_LINE }),
    ...changeFields,
  }),
  reply: ShelfAnswer,
})

const shelfTitleFields = {
  ...heldFields,
  /** The id of the shelf, which the server may not have received yet. */
  shelf: Uuid,
  /** IRI by slug. */
  title: Type.String(),
}
export const ShelfTitle = embedded('UserShelfTitle', shelfTitleFields)
export type ShelfTitle = Static<typeof ShelfTitle>
export const ShelfTitleAnswer = item('UserShelfTitle', { ...shelfTitleFields, ...answerFields })

export const listShelfTitles = endpoint({
  method: 'GET',
  path: '/api/user_shelf_titles',
  summary: 'The titles on the caller’s own shelves',
  access: 'user',
  notInView: true,
  query: Type.Object(paging(LIST_SIZE.shelfTitles, LIST_SIZE.shelfTitles)),
  reply: collection(ShelfTitle),
})
/** 404 for a title that the caller does not own, and 422 if the shelves are full. */
export const putOnShelf = endpoint({
  method: 'PUT',
  path: '/api/user_shelf_titles/{id}',
  summary: 'A title was put on a shelf, moved or taken off',
  access: 'user',
  params: ById,
  body: Type.Object({
    shelf: Uuid,
    title: Type.String({ pattern: '^/api/(?:audio_books|e_books)/[^/]+$', maxLength: 200 }),
    ...changeFields,
  }),
  reply: ShelfTitleAnswer,
})
