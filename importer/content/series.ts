import { asc, eq, sql } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '#server/db/open.ts'
import { bookSeries, series, seriesGaps } from '#server/db/schema/series.ts'
import { givenSeries, type GivenSeries } from '../series-names.ts'
import { readJson } from './files.ts'
import { listChanged, listPiece, type Piece } from './piece.ts'
import { SeriesFile } from './schemas.ts'

type Gap = Omit<typeof seriesGaps.$inferSelect, 'seriesId' | 'position'>

/** A series that the file leaves out stays, but its list of missing titles is removed. */
export async function readSeries(path: string): Promise<Piece> {
  const given = await readJson(path, SeriesFile)
  const desired = given.flatMap(({ notHere = [], ...named }) =>
    givenSeries([named]).map(({ slug, title }) => ({
      slug,
      title,
      gaps: notHere.map(({ number, title: name, comesOut = null, published = null, story = null }): Gap => {
        const [place] = givenSeries([{ name, number }])
        return { number: place?.number ?? null, title: name, comesOut, published, story }
      }),
    })),
  )
  return listPiece(`${desired.length} series`, async (tx, { dryRun }) => {
    const standing = await selectExisting(tx)
    const changes: string[] = []
    for (const { slug, title, gaps } of desired) {
      const before = standing.get(slug)
      if (before?.title === title && isDeepStrictEqual(before.gaps, gaps)) continue
      changes.push(title)
      if (!dryRun) await write(tx, { slug, title }, gaps, before?.title)
    }
    for (const [slug, { title, gaps }] of standing) {
      if (gaps.length === 0 || desired.some((each) => each.slug === slug)) continue
      changes.push(title)
      if (!dryRun) await write(tx, { slug, title }, [], title)
    }
    return listChanged(standing.size, changes)
  })
}

async function selectExisting(tx: Transaction): Promise<Map<string, { title: string; gaps: Gap[] }>> {
  const standing = new Map<string, { title: string; gaps: Gap[] }>()
  const rows = await tx
    .select({ series, gap: seriesGaps })
    .from(series)
    .leftJoin(seriesGaps, eq(seriesGaps.seriesId, series.id))
    .orderBy(asc(series.id), asc(seriesGaps.position))
  for (const { series: row, gap } of rows) {
    const one = standing.get(row.slug) ?? { title: row.title, gaps: [] }
    standing.set(row.slug, one)
    if (!gap) continue
    const { seriesId: _seriesId, position: _position, ...said } = gap
    one.gaps.push(said)
  }
  return standing
}

async function write(
  tx: Transaction,
  { slug, title }: Pick<GivenSeries, 'slug' | 'title'>,
  gaps: readonly Gap[],
  before: string | undefined,
): Promise<void> {
  const [row] = await tx
    .insert(series)
    .values({ slug, title })
    .onConflictDoUpdate({ target: series.slug, set: { title } })
    .returning({ id: series.id })
  const seriesId = row!.id
  await tx.delete(seriesGaps).where(eq(seriesGaps.seriesId, seriesId))
  if (gaps.length > 0)
    await tx.insert(seriesGaps).values(gaps.map((gap, position) => ({ seriesId, position, ...gap })))
  // The search finds a book by the name of its series.
  if (before !== undefined && before !== title)
    await tx.execute(sql`
      update books set search_text = null
      where id in (select ${bookSeries.bookId} from ${bookSeries} where ${bookSeries.seriesId} = ${seriesId})`)
}
