// On PostgreSQL too: an upgrade is one transaction over tables with rows, and each database has rules of its own for that.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDatabase, onPostgres } from '#tests/support/database.ts'
import { catalogueOf, rowsIn } from '#tests/support/catalogue-of-database.ts'
import { applyMigrations, bringUpToDate, connect, MIGRATIONS } from './migrate.ts'
import type { OpenDatabase } from './open.ts'

interface EarlierShop {
  /** Its last migration. */
  readonly name: string
  readonly at: number
  readonly rows: string
}

const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS })
const names = globSync('*.sql', { cwd: MIGRATIONS }).toSorted()
const EARLIER: readonly EarlierShop[] = globSync('earlier/*.sql', { cwd: import.meta.dirname })
  .toSorted()
  .map((file) => ({
    name: file.slice('earlier/'.length, -'.sql'.length),
    at: migrations[Number(/\d+/.exec(file)![0])]!.folderMillis,
    rows: readFileSync(join(import.meta.dirname, file), 'utf8'),
  }))

let database: OpenDatabase
let client: pg.Client
let fresh: string[]
beforeAll(async () => {
  database = await newDatabase()
  client = await connect(database.pool.options)
  fresh = await catalogueOf(client)
})
afterAll(async () => {
  await client?.end()
  await database?.close()
})

/** A shop that was there from the first of them on, up to this release. */
async function shopOf({ at }: EarlierShop): Promise<void> {
  await client.query(
    `drop schema if exists drizzle cascade; drop schema public cascade; create schema public`,
  )
  let after = 0
  for (const earlier of EARLIER.filter((each) => each.at <= at)) {
    await applyMigrations(client, { after, until: earlier.at })
    await client.query(earlier.rows)
    after = earlier.at
  }
}

// The embedded database takes seconds for what PostgreSQL does in tenths; the last of them went through all of it, with rows.
const upgraded = onPostgres || process.env.LONG ? EARLIER : EARLIER.slice(-1)

test.each(upgraded)(
  'a shop of $name and all it held is brought up to date, and is as a new one',
  async (earlier) => {
    await shopOf(earlier)
    const before = await rowsIn(client)
    await bringUpToDate(client, { besideWrites: onPostgres })
    expect(await catalogueOf(client)).toEqual(fresh)
    const after = await rowsIn(client)
    expect(Object.keys(before).length).toBeGreaterThan(20)
    for (const [table, count] of Object.entries(before))
      expect(after[table], table).toBeGreaterThanOrEqual(count)
    // Whoever starts it again finds nothing to do.
    await bringUpToDate(client, {})
    expect(await rowsIn(client)).toEqual(after)
  },
)

test('what migrations made of older rows is what they say', async () => {
  // In the last of these shops.
  const ask = async (question: string) =>
    (await client.query<unknown[]>({ text: question, rowMode: 'array' })).rows
  expect(await ask('select id, location_ids, nationality_ids from books where id < 3 order by id')).toEqual([
    [1, [1, 2], [1, 2]],
    [2, [1], []],
  ])
  expect(await ask('select id, deliverable, sellable from books order by id')).toEqual([
    [1, true, true],
    [2, true, true],
    [3, false, false],
    [4, false, false],
    [5, true, true],
    [6, true, null],
  ])
  expect(
    await ask('select email, confirmed_at is not null from newsletter_subscribers order by email'),
  ).toEqual([
    ['early@post.example', true],
    ['greeted@post.example', true],
    ['unconfirmed@post.example', false],
  ])
  expect(await ask('select kind, count(*)::int from order_lines group by 1 order by 1')).toEqual([
    ['membership', 1],
    ['membership_gift', 2],
    ['title', 2],
  ])
  expect(await ask(`select fingerprint from orders where disputed_at is not null`)).toEqual([['f3']])
  expect(await ask('select key, amount_minor, state from refunds')).toEqual([
    ['gift-taken-back:00000000-0000-4000-8000-0000000000a4', 2397, 'asked'],
  ])
  expect(
    await ask(
      'select right(id::text, 2), status, superseded_at is not null, client_secret from subscriptions order by id',
    ),
  ).toEqual([
    ['a1', 'canceled', false, null],
    ['a5', 'past_due', false, null],
    ['a6', 'incomplete_expired', true, null],
    ['a7', 'incomplete', false, null],
    ['a8', 'incomplete_expired', true, null],
  ])
  const secretHash = createHash('sha256').update('pi_7_secret_8').digest('base64url')
  expect(await ask('select client_secret, secret_hash from membership_secrets')).toEqual([[null, secretHash]])
})

test('a migration that a release had is not edited', () => {
  for (const { name, rows } of EARLIER) {
    const hash = createHash('sha256')
    for (const file of names.slice(0, names.indexOf(`${name}.sql`) + 1))
      hash.update(readFileSync(join(MIGRATIONS, file)))
    expect(/^-- migrations: (\S+)/.exec(rows)?.[1], name).toBe(hash.digest('hex').slice(0, 16))
  }
})

test('the tables of the code are those that its migrations make', async () => {
  const columns: string[] = []
  for (const file of globSync('schema/*.ts', { cwd: import.meta.dirname })) {
    const exported: Record<string, unknown> = await import(join(import.meta.dirname, file))
    for (const table of Object.values(exported)) {
      if (!(table instanceof PgTable)) continue
      const { name: tableName, columns: its } = getTableConfig(table)
      columns.push(...its.map(({ name, notNull }) => `${tableName}.${name}${notNull ? ' not null' : ''}`))
    }
  }
  const { rows } = await client.query<{ column: string }>(`
    select table_name || '.' || column_name || case is_nullable when 'NO' then ' not null' else '' end as column
    from information_schema.columns where table_schema = 'public'`)
  expect(columns.toSorted()).toEqual(rows.map(({ column }) => column).toSorted())
})
