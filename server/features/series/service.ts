import type { Work } from '#contract/calculations/series-item.ts'
import { notFound } from '../../http/http-errors.ts'
import { catalogueCache } from '../../caches.ts'
import type { Shop } from '../../shop.ts'
import type { Reader } from '../catalogue/service.ts'
import {
  selectSeries,
  selectSeveralSeries,
  selectSummaries,
  type SeriesRow,
  type SummaryRow,
  type Gap,
  type Member,
} from './queries.ts'

type Stock = Pick<Shop, 'db' | 'caches'>

/** Some kilobytes each. */
const seriesRows = catalogueCache<SeriesRow | undefined>(500)
const summaries = catalogueCache<readonly SummaryRow[]>(1)

/** A shop with 100,000 titles has a few thousand series. */
export const allSeries = (shop: Stock): Promise<readonly SummaryRow[]> =>
  summaries(shop).of('', () => selectSummaries(shop.db))

interface SeenSeries {
  readonly row: SeriesRow
  readonly works: readonly Work[]
  readonly bookIds: readonly number[]
}

/** @throws 404 for an unknown series, or one without visible titles */
export async function seeSeries(
  shop: Stock,
  slug: string,
  { owned }: Pick<Reader, 'owned'>,
): Promise<SeenSeries> {
  const row = await seriesRows(shop).of(slug, () => selectSeries(shop.db, slug))
  if (!row) throw notFound()
  const works = worksOf(row, ({ bookId, listed }) => listed || owned.has(bookId))
  const bookIds = works.flatMap(({ audioBookId, eBookId }) =>
    [audioBookId, eBookId].filter((id) => id !== null),
  )
  if (bookIds.length === 0) throw notFound()
  return { row, works, bookIds }
}

export async function worksOfSeries(
  { db }: Pick<Stock, 'db'>,
  seriesIds: readonly number[],
): Promise<Map<number, readonly Work[]>> {
  const rows = await selectSeveralSeries(db, seriesIds)
  return new Map(rows.map((row) => [row.id, worksOf(row, ({ listed }) => listed)]))
}

type Placed = Pick<Member, 'number' | 'published' | 'story' | 'title'> & {
  readonly firstPublished: string | null
}

function worksOf({ members, gaps }: SeriesRow, isSeen: (member: Member) => boolean): Work[] {
  const works = [...Map.groupBy(members.filter(isSeen), toWork).values()]
  const missing = gaps.filter(
    (gap) => !works.some((formats) => formats.some((book) => isSameWork(book, gap))),
  )
  const all = [
    ...works.map((formats) => ({ ...formats[0]!, formats, comesOut: formats[0]!.preorder })),
    ...missing.map((gap) => ({ ...gap, formats: [], firstPublished: gap.comesOut })),
  ]
  const inStory = all.toSorted(compareBy(({ story, number }) => story ?? placeInSeries(number)))
  return all
    .toSorted(compareBy(({ published, number }) => published ?? placeInSeries(number)))
    .map((work) => ({
      number: work.number,
      title: work.title,
      storyPlace: inStory.indexOf(work) + 1,
      comesOut: work.comesOut,
      chapterSeconds: work.formats.flatMap(({ chapterMs }) => chapterMs.map((ms) => ms / 1000)),
      audioBookId: workId(work.formats, 'audio_book'),
      eBookId: workId(work.formats, 'e_book'),
    }))
}

const toWork = ({ bookId, counterpartId }: Member): number => Math.min(bookId, counterpartId ?? bookId)

const workId = (formats: readonly Member[], format: Member['format']): number | null =>
  formats.find((book) => book.format === format)?.bookId ?? null

const isSameWork = (book: Member, gap: Gap): boolean =>
  (gap.number !== null && gap.number === book.number) || gap.title.toLowerCase() === book.title.toLowerCase()

/** 3 for “3–4”. A title without a number comes last. */
function placeInSeries(number: string | null): number {
  const first = /\d+(?:[.,]\d+)?/.exec(number ?? '')?.[0]
  return first === undefined ? Number.POSITIVE_INFINITY : Number(first.replace(',', '.'))
}

const compareBy = (place: (work: Placed) => number) => (one: Placed, other: Placed) =>
  ascendingNumbers(place(one), place(other)) ||
  ascendingNumbers(one.firstPublished ?? '9999', other.firstPublished ?? '9999') ||
  one.title.localeCompare(other.title, 'en')

const ascendingNumbers = <T extends number | string>(one: T, other: T): number =>
  one < other ? -1 : one > other ? 1 : 0
