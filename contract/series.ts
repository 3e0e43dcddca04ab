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
  /** The number of titles, including announced ones and those not sold here. Two formats count as one title. */
  titles: Type.Integer(),
  /** The highest whole number; null if no title has one. */
  last: NullableInteger,
}

export const SeriesSummary = embedded('Series', about)
export type SeriesSummary = Static<typeof SeriesSummary>

/** One title of a series in one or both formats, or in neither if the shop does not have it. */
export const SeriesTitle = Type.Object({
  number: NullableString,
  title: Type.String(),
  /** Its place in the story, counted from 1. */
  storyPlace: Type.Integer({ minimum: 1 }),
  /** The release date of an announced title; null for any other. */
  comesOut: nullable(CalendarDate),
  /** Measured, in the order of the chapters; progress is calculated from it. */
  chapterSeconds: Type.Array(Type.Number({ minimum: 0 })),
  audioBook: nullable(AudioBookCard),
  eBook: nullable(EBookCard),
})
export type SeriesTitle = Static<typeof SeriesTitle>

export const Series = item('Series', {
  ...about,
  authors: Type.Array(Person),
  narrators: Type.Array(Person),
  /** True if the order of the story differs from that of publication. */
  hasStoryOrder: Type.Boolean(),
  /** In the order of publication. */
  inOrder: Type.Array(SeriesTitle),
})
export type Series = Static<typeof Series>

/** Sorted by title; only series with listed titles. */
export const listSeries = endpoint({
  method: 'GET',
  path: '/api/series',
  summary: 'Series',
  access: 'public',
  query: Type.Object(paging(PAGE_SIZE.publishers)),
  reply: collection(SeriesSummary),
})
/** By slug. A retired title is included for its owners. */
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
 * Emails a confirmation link, and after the confirmation one email when a new title of the series goes on sale. The
 * answer is the same for known and unknown addresses.
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
/** By the emailed token; until then nothing is sent. Safe to repeat. The answer is the same for an invalid token. */
export const confirmNotice = endpoint({
  method: 'POST',
  path: '/api/series_notices/confirm/{token}',
  summary: 'Confirm that one wants to hear of the next title',
  access: 'open',
  status: 204,
  params: ByToken,
})
/** By the same token; the answer is the same if there was no pending notice. */
export const endNotice = endpoint({
  method: 'POST',
  path: '/api/series_notices/end/{token}',
  summary: 'Not hear of the next title any more',
  access: 'open',
  status: 204,
  params: ByToken,
})
