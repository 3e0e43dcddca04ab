import Type, { type Static } from 'typebox'
import { NullableString, Slug } from './atoms.ts'
import { endpoint } from './endpoint.ts'
import { item } from './hydra.ts'

const name = { firstName: Type.String(), lastName: Type.String(), fullName: Type.String() }
export const PersonName = Type.Object(name)
export const Person = Type.Object({
  ...name,
  /** The slug of the person's page; null for a short time until one is assigned. */
  slug: NullableString,
})

/** An author or narrator, and the number of their listed titles. */
export const PersonPage = item('Person', {
  id: Type.Integer(),
  slug: Slug,
  firstName: Type.String(),
  lastName: Type.String(),
  fullName: Type.String(),
  nationality: NullableString,
  /** Two sentences by the owner. */
  about: NullableString,
  writtenAudioBooks: Type.Integer({ minimum: 0 }),
  writtenEBooks: Type.Integer({ minimum: 0 }),
  readAudioBooks: Type.Integer({ minimum: 0 }),
})
export type PersonPage = Static<typeof PersonPage>

/**
 * 404 for a person without titles in the shop; a retired title counts. Their books: `authors[]` and `narrators[]` of
 * the lists.
 */
export const getPerson = endpoint({
  method: 'GET',
  path: '/api/people/{slug}',
  summary: 'An author or a narrator',
  access: 'public',
  params: Type.Object({ slug: Type.String({ maxLength: 160 }) }),
  reply: PersonPage,
})
