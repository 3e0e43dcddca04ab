import Type, { type Static } from 'typebox'
import { Email, Instant, NullableString, nullable, PERSON_NAME, Slug, Uuid } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'

const BySlug = Type.Object({ id: Type.String({ maxLength: 160 }) })
const ByToken = Type.Object({ token: Uuid })
const journal = { part: 'journal' } as const

/** An event's free seats, and whether the caller keeps one. */
export const Seats = item('Seats', { left: Type.Integer({ minimum: 0 }), kept: Type.Boolean() })
export type Seats = Static<typeof Seats>

/** 404 for an event without seats. Not part of the event itself, whose answer is cached. */
export const getSeats = endpoint({
  ...journal,
  method: 'GET',
  path: '/api/discussions/{id}/seats',
  summary: 'The seats of an event',
  access: 'anyone',
  params: BySlug,
  reply: Seats,
})
/** One seat for each account; repeating it changes nothing. 422 if none is left or it is over, 403 by EDIT-09. */
export const keepSeat = endpoint({
  ...journal,
  method: 'POST',
  path: '/api/discussions/{id}/seat',
  summary: 'Keep a seat',
  access: 'user',
  params: BySlug,
  reply: Seats,
})
export const giveSeatBack = endpoint({
  ...journal,
  method: 'DELETE',
  path: '/api/discussions/{id}/seat',
  summary: 'Give one’s seat back',
  access: 'user',
  params: BySlug,
  reply: Seats,
})
/**
 * A guest's seat. Emails a link that confirms it, and takes no place before. The answer is the same for an address that
 * has a seat already.
 */
export const askForSeat = endpoint({
  ...journal,
  method: 'POST',
  path: '/api/discussions/{id}/seats',
  summary: 'Keep a seat as a guest',
  access: 'anyone',
  status: 204,
  params: BySlug,
  body: Type.Object({
    email: Email,
    name: Type.String({ minLength: 1, maxLength: 80, pattern: PERSON_NAME }),
  }),
})
/** By the emailed token. `kept` is false if the last seat went meanwhile. Safe to repeat. */
export const confirmSeat = endpoint({
  ...journal,
  method: 'POST',
  path: '/api/seats/confirm/{token}',
  summary: 'Confirm a seat by email',
  access: 'open',
  params: ByToken,
  reply: Seats,
})
/** By the same token; the answer is the same if there was no such seat. */
export const giveSeatBackByLink = endpoint({
  ...journal,
  method: 'POST',
  path: '/api/seats/give-back/{token}',
  summary: 'Give a seat back by email',
  access: 'open',
  status: 204,
  params: ByToken,
})

/** The caller's seats at coming events, the next first. */
export const listOwnSeats = endpoint({
  ...journal,
  method: 'GET',
  path: '/api/seats',
  summary: 'One’s seats',
  access: 'user',
  reply: collection(
    Type.Object({
      '@id': Type.String(),
      '@type': Type.Literal('Seat'),
      slug: Slug,
      title: Type.String(),
      startsAt: Instant,
      endsAt: nullable(Instant),
      place: NullableString,
    }),
  ),
})
