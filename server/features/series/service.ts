import type { Work } from '#contract/calculations/series-item.ts'
import { notFound } from '../../http/http-errors.ts'
import { memoryOfEachShop } from '../../http/until-catalogue-change.ts'
import type { Shop } from '../../shop.ts'
import type { Reader } from '../catalogue/service.ts'
import { worksOf } from './order.ts'
import {
  selectSeries,
  selectSeveralSeries,
  selectSummaries,
  type SeriesRow,
  type SummaryRow,
} from './queries.ts'

type Stock = Pick<Shop, 'db' | 'answers'>

/** Some kilobytes each. */
const rowIn = memoryOfEachShop<SeriesRow>(500)
const summariesIn = memoryOfEachShop<readonly SummaryRow[]>(1)

/** A shop with 100,000 titles has a few thousand series. */
export const allSeries = ({ db, answers }: Stock): Promise<readonly SummaryRow[]> =>
  summariesIn(answers).of('', () => selectSummaries(db))

export interface SeenSeries {
  readonly row: SeriesRow
  readonly works: readonly Work[]
  readonly bookIds: readonly number[]
}

/** @throws 404 for an unknown series, or one without visible titles */
export async function seeSeries(
  { db, answers }: Stock,
  slug: string,
  { owned }: Pick<Reader, 'owned'>,
): Promise<SeenSeries> {
  const row = await rowIn(answers).of(slug, async () => {
    const found = await selectSeries(db, slug)
    if (!found) throw notFound()
    return found
  })
  const works = worksOf(row, ({ bookId, listed }) => listed || owned.has(bookId))
  const bookIds = works.flatMap(({ audioBookId, eBookId }) =>
    [audioBookId, eBookId].filter((id) => id !== null),
  )
  if (bookIds.length === 0) throw notFound()
  return { row, works, bookIds }
}

/** As a visitor sees them, by series id. */
export async function worksOfSeries(
  { db }: Pick<Stock, 'db'>,
  seriesIds: readonly number[],
): Promise<Map<number, readonly Work[]>> {
  const rows = await selectSeveralSeries(db, seriesIds)
  return new Map(rows.map((row) => [row.id, worksOf(row, ({ listed }) => listed)]))
}
