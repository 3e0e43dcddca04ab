import { createReadStream, existsSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { testDatabase } from '#tests/support/database.ts'
import { Tally } from './report.ts'
import { importCatalogue } from './run.ts'

/** The folder of real catalogues, which are not part of this repository (importer/README.md). */
const DATA = process.env.CATALOGUES ?? ''
const LIBRIVOX = join(DATA, 'librivox-catalogue.csv.gz')
const GUTENBERG = join(DATA, 'gutenberg-catalogue.csv.gz')
const missing = [LIBRIVOX, GUTENBERG].filter((file) => !existsSync(file))
if (missing.length > 0)
  console.warn(`The real catalogues are not tried, for want of CATALOGUES with ${missing.join(', ')}`)

describe.skipIf(missing.length > 0)('real catalogues', () => {
  let database: OpenDatabase
  let folder: string

  beforeAll(async () => {
    database = await testDatabase()
    folder = mkdtempSync(join(tmpdir(), 'murmur-catalogues-'))
  })
  afterAll(async () => {
    await database.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const bring = async (file: string, dryRun = false) => {
    const tally = new Tally()
    const importing = {
      db: database.db,
      now: () => new Date(),
      dryRun,
      onRow: (row: Parameters<Tally['add']>[0]) => tally.add(row),
    }
    const { rows, broken } = await importCatalogue(importing, file)
    return { rows, broken, counts: tally.counts, reasons: Object.fromEntries(tally.reasons), tally }
  }

  test('reads all of LibriVox and reports a result for every row', async () => {
    const { rows, broken, counts, reasons } = await bring(LIBRIVOX, true)
    expect({ rows, broken }).toEqual({ rows: 9_732, broken: undefined })
    // One length has a dot instead of a colon, and its row has no seconds.
    expect(reasons).toEqual({ 'not a number': 1 })
    expect(counts).toEqual({ created: 9_731, changed: 0, same: 0, refused: 1 })
  })

  test('imports 3,000 titles of Gutenberg; a second run changes none', async () => {
    const file = join(folder, 'gutenberg.csv')
    writeFileSync(file, await firstLines(GUTENBERG, 3_001))
    const first = await bring(file)
    expect(first.broken).toBeUndefined()
    const { created, refused } = first.counts
    expect(created + refused).toBe(first.rows)
    expect(created).toBeGreaterThan(2_900)
    const [shop] = (
      await database.db.execute<Record<string, number>>(sql`
        select count(*)::int as books, count(search_text)::int as found, count(distinct slug)::int as slugs,
          count(*) filter (where published)::int as sold,
          count(*) filter (where exists (select 1 from book_people where book_id = books.id))::int as by_somebody
        from books`)
    ).rows
    expect(shop).toMatchObject({ books: created, found: created, slugs: created, sold: 0 })
    expect(shop!['by_somebody']).toBeGreaterThan(created * 0.9)

    const second = await bring(file)
    expect(second.counts).toEqual({ created: 0, changed: 0, same: created, refused })
  })
})

/** Assumes that each of these titles is on one line. */
async function firstLines(file: string, count: number): Promise<string> {
  const lines: string[] = []
  const packed = createReadStream(file)
  for await (const line of createInterface({ input: packed.pipe(createGunzip()) })) {
    lines.push(line)
    if (lines.length === count) break
  }
  packed.destroy()
  return `${lines.join('\n')}\n`
}
