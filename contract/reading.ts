import Type, { type Static } from 'typebox'
import { embedded, Instant, NullableString, nullable, paging, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'

/**
 * The reader's place in an e-book: `locator` is an EPUB CFI, `share` the part of the book before it (0 to 1). The rules
 * of listening apply: the place read last is the current one, an event counts once, clocks are clamped.
 */
const placeFields = {
  id: Uuid,
  /** IRI by slug. */
  eBook: Type.String(),
  locator: Type.String(),
  share: Type.Number({ minimum: 0, maximum: 1 }),
  readAt: Instant,
  eventId: NullableString,
  deviceId: NullableString,
}
export const EBookPlace = embedded('UserEBookPlace', placeFields)
export type EBookPlace = Static<typeof EBookPlace>

export const listEBookPlaces = endpoint({
  method: 'GET',
  path: '/api/user_e_book_places',
  summary: 'The caller’s places in e-books',
  access: 'user',
  notInView: true,
  query: Type.Object({ ...paging(30, 1000), eBook: Type.Optional(Type.String({ maxLength: 200 })) }),
  reply: collection(EBookPlace),
})
/** 201 for a new row, 200 if it existed. */
export const keepEBookPlace = endpoint({
  method: 'POST',
  path: '/api/user_e_book_places',
  summary: 'Something was read',
  access: 'user',
  body: Type.Object({
    eBook: Type.String({ pattern: '^/api/e_books/[^/]+$', maxLength: 200 }),
    locator: Type.String({ pattern: '^epubcfi\\([^\\u0000-\\u001f]+\\)$', maxLength: 1000 }),
    share: Type.Number({ minimum: 0, maximum: 1 }),
    eventId: Type.Optional(Uuid),
    deviceId: Type.Optional(Uuid),
    sequence: Type.Optional(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
    readAt: Type.Optional(Instant),
    agoSeconds: Type.Optional(Type.Number({ minimum: 0 })),
    basedOn: Type.Optional(nullable(Uuid)),
  }),
  reply: item('UserEBookPlace', { ...placeFields, serverTime: Instant }),
})
