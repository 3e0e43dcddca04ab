import type { SQL } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { testDatabase } from '#tests/support/database.ts'
import { seedCatalogue } from '../../../bench/seed.ts'
import type { BookFilter } from '#contract/calculations/book-filter.ts'
import { cardsBy, countBooks, countOf, packedIds, pageOn, type Slice } from './queries.ts'

/** Enough rows for the planner to choose an index. */
const TITLES = process.env.LONG ? 20_000 : 6_000

let database: OpenDatabase
beforeAll(async () => {
  database = await testDatabase()
  await seedCatalogue(database.db, TITLES)
})
afterAll(() => database.close())

/** The custom plan for these values, and the generic plan of a statement that was prepared earlier. */
async function plans(statement: SQL): Promise<string[]> {
  const { sql, params } = new PgDialect().sqlToQuery(statement)
  const values = params.map((value) => {
    if (value === null) return 'null'
    return pg.escapeLiteral(
      Array.isArray(value) ? `{${value.join(',')}}` : (value as number | string).toString(),
    )
  })
  const client = await database.pool.connect()
  try {
    const found: string[] = []
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query('begin')
      await client.query(`set local plan_cache_mode = ${mode}`)
      await client.query(`prepare listing as ${sql}`)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain execute listing(${values.join(', ')})`,
      )
      await client.query('rollback')
      await client.query('deallocate listing')
      found.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
    }
    return found
  } finally {
    client.release()
  }
}

const FIRST: Slice = { offset: 0, limit: 12 }
const MIDDLE: Slice = { offset: TITLES * 0.3, limit: 12 }
const NEAR_END: Slice = { offset: 100, limit: 12, fromEnd: true }

test.each([
  ['the first page', FIRST],
  ['a page in the middle', MIDDLE],
  ['one of the last pages', NEAR_END],
])(`%s of ${TITLES.toLocaleString('en')} titles is found in the index alone`, async (_name, slice) => {
  for (const plan of await plans(pageOn({ format: 'audio_book' }, slice))) {
    expect(plan).toMatch(/Index Only Scan( Backward)? using books_listing/)
    expect(plan).not.toContain('Seq Scan on books')
  }
})

test('reads the data of twelve cards from the rows of these books only', async () => {
  const ids = Array.from({ length: 12 }, (_, index) => 1 + (index * TITLES) / 20)
  for (const plan of await plans(cardsBy(ids))) {
    expect(plan).toContain('books_pkey')
    expect(plan).not.toMatch(/Seq Scan on (books|book_people|people|covers)/)
  }
})

test.each<[string, BookFilter, string]>([
  ['style', { format: 'audio_book', styles: [2] }, 'books_style'],
  ['category', { format: 'e_book', categories: [3] }, 'books_category'],
  ['publisher', { format: 'audio_book', publishers: [7] }, 'books_publisher'],
  ['highlight', { format: 'audio_book', secondEdition: true }, 'books_second_edition'],
  ['card', { format: 'audio_book', availableAsCard: true }, 'books_card'],
])('a list narrowed to one %s comes in order out of an index of its own', async (_name, filter, index) => {
  for (const plan of await plans(pageOn(filter, FIRST))) {
    expect(plan).toMatch(new RegExp(`using ${index} on books`))
    expect(plan).not.toMatch(/Seq Scan on books/)
  }
})

test.each<[string, BookFilter]>([
  ['style and category', { format: 'audio_book', styles: [2], categories: [3] }],
  ['location and length', { format: 'audio_book', locations: [2], minMinutes: 120 }],
  ['nationality and style', { format: 'e_book', nationalities: [1, 3], styles: [1] }],
])('a list narrowed by %s is counted and paged in the index of the shelf alone', async (_name, filter) => {
  for (const statement of [countOf(filter), pageOn(filter, MIDDLE), packedIds(filter)])
    for (const plan of await plans(statement)) expect(plan).toMatch(/Index Only Scan using books_shelf/)
})

test('the seeded catalogue has the requested number of titles', async () => {
  const audio = await countBooks(database.db, { format: 'audio_book' })
  const text = await countBooks(database.db, { format: 'e_book' })
  expect(audio + text).toBe(TITLES)
  expect(await countBooks(database.db, { format: 'audio_book', styles: [1, 2, 3, 4, 5, 6] })).toBe(audio)
})
