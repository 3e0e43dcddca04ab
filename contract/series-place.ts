import Type, { type Static } from 'typebox'
import { embedded, NullableInteger, NullableString, Slug } from './atoms.ts'

/** A book's place in a series. */
export const SeriesPlace = embedded('Series', {
  id: Type.Integer(),
  slug: Slug,
  title: Type.String(),
  /** As it is printed, “2”, “1.5” or “3–4”; null for a book that bears none. */
  number: NullableString,
  /** The highest whole number of the series, what is to come included; null where no book has one. */
  last: NullableInteger,
})
export type SeriesPlace = Static<typeof SeriesPlace>
