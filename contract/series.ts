import Type, { type Static } from 'typebox'
import {
  CalendarDate,
  Email,
  embedded,
  NullableInteger,
  NullableString,
  nullable,
  paging,
  Slug,
  Uuid,
} from './atoms.ts'
import { AudioBookCard, EBookCard } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { PAGE_SIZE } from './limits.ts'
import { Person } from './people.ts'

const about = {
  id: Type.Integer(),
  slug: Slug,
  title: Type.String(),
  /** Titles, both formats being one, with those that are to come or not sold here. */
  titles: Type.Integer(),
  /** The highest whole number; null where no title has one. */
  last: NullableInteger,
}

export const SeriesSummary = embedded('Series', about)
export type SeriesSummary = Static<typeof SeriesSummary>

/** One title of a series: one or both of its formats, or neither where the shop does not have it. */
export const SeriesTitle = Type.Object({
  number: NullableString,
  title: Type.String(),
  /** Its place in the story, counted from 1. */
  storyPlace: Type.Integer({ minimum: 1 }),
  /** The day it comes out, of a title that cannot be bought yet; null for any other. */
  comesOut: nullable(CalendarDate),
  /** Measured, in the order of the chapters: what a place in it is reckoned by. */
  chapterSeconds: Type.Array(Type.Number({ minimum: 0 })),
  audioBook: nullable(AudioBookCard),
  eBook: nullable(EBookCard),
})
export type SeriesTitle = Static<typeof SeriesTitle>

export const Series = item('Series', {
  ...about,
  authors: Type.Array(Person),
  narrators: Type.Array(Person),
  /** The story is told in another order than the titles came out. */
  hasStoryOrder: Type.Boolean(),
  /** In the order in which they came out. */
  inOrder: Type.Array(SeriesTitle),
})
export type Series = Static<typeof Series>

/** By title; those of which anything stands in the shop's lists. */
export const listSeries = endpoint({
  method: 'GET',
  path: '/api/series',
  summary: 'Series',
  access: 'public',
  query: Type.Object(paging(PAGE_SIZE.publishers)),
  reply: collection(SeriesSummary),
})
/** By slug. A title that is sold no more is in it for who owns it. */
export const getSeries = endpoint({
  method: 'GET',
  path: '/api/series/{slug}',
  summary: 'One series in order',
  access: 'public',
  params: Type.Object({ slug: Type.String({ maxLength: 160 }) }),
  reply: Series,
})

const ByToken = Type.Object({ token: Uuid })

/**
 * Mails a link to confirm with; then one more mail, once, when a title of the series is there that was not on sale.
 * Answers the same whether the address was known.
 */
export const askForNext = endpoint({
  method: 'POST',
  path: '/api/series/{slug}/notices',
  summary: 'Hear when the next title of a series is out',
  access: 'anyone',
  status: 204,
  params: Type.Object({ slug: Type.String({ maxLength: 160 }) }),
  body: Type.Object({ email: Email }),
})
/** By the token of a mail; before this nothing is sent. Safe to repeat, and the same for a token that is none. */
export const confirmNotice = endpoint({
  method: 'POST',
  path: '/api/series_notices/confirm/{token}',
  summary: 'Confirm that one wants to hear of the next title',
  access: 'open',
  status: 204,
  params: ByToken,
})
/** By the same token; answers the same whether somebody still waited. */
export const endNotice = endpoint({
  method: 'POST',
  path: '/api/series_notices/end/{token}',
  summary: 'Not hear of the next title any more',
  access: 'open',
  status: 204,
  params: ByToken,
})
