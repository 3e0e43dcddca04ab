import Type, { type Static } from 'typebox'
import { NullableString, Slug } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { item } from './hydra.ts'

const name = { firstName: Type.String(), lastName: Type.String(), fullName: Type.String() }
export const PersonName = Type.Object(name)
export const Person = Type.Object({
  ...name,
  /** Of their page; null for the moment in which they have none yet. */
  slug: NullableString,
})

/** Somebody who wrote or read something, and how much of it stands in the shop's lists. */
export const PersonPage = item('Person', {
  id: Type.Integer(),
  slug: Slug,
  firstName: Type.String(),
  lastName: Type.String(),
  fullName: Type.String(),
  nationality: NullableString,
  /** Audiobooks and e-books that they wrote. */
  writtenAudioBooks: Type.Integer({ minimum: 0 }),
  writtenEBooks: Type.Integer({ minimum: 0 }),
  /** Audiobooks that they read. */
  readAudioBooks: Type.Integer({ minimum: 0 }),
})
export type PersonPage = Static<typeof PersonPage>

/** 404 for somebody of whom the shop has nothing; a title that is sold no more is something. Their books: `authors[]` and `narrators[]` of the lists. */
export const getPerson = endpoint({
  method: 'GET',
  path: '/api/people/{slug}',
  summary: 'An author or a narrator',
  access: 'public',
  params: Type.Object({ slug: Type.String({ maxLength: 160 }) }),
  reply: PersonPage,
})
