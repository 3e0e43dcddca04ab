import Type, { type Static } from 'typebox'
import { embedded, NullableInteger, NullableString, Slug } from './atoms.ts'

export const SeriesPlace = embedded('Series', {
  id: Type.Integer(),
  slug: Slug,
  title: Type.String(),
  /** As printed: “2”, “1.5” or “3–4”; null for a book without a number. */
  number: NullableString,
  /** The highest whole number of the series, including announced titles; null if no book has one. */
  last: NullableInteger,
})
export type SeriesPlace = Static<typeof SeriesPlace>
