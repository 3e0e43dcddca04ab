import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { catalogueOf, rowsIn } from '#tests/support/catalogue-of-database.ts'
import { applyMigrations, bringUpToDate, connect, MIGRATIONS, pendingMigrations } from './migrate.ts'
import type { OpenDatabase } from './open.ts'

interface EarlierShop {
  readonly name: string
  readonly at: number
  readonly rows: string
}

const migrations = readMigrationFiles({ migrationsFolder: MIGRATIONS })
const names = globSync('*.sql', { cwd: MIGRATIONS }).toSorted()
const rowsOf = (file: string) => readFileSync(join(import.meta.dirname, 'earlier', file), 'utf8')
const RELEASED: readonly EarlierShop[] = globSync('[0-9]*.sql', { cwd: join(import.meta.dirname, 'earlier') })
  .toSorted()
  .map((file) => ({
    name: file.slice(0, -'.sql'.length),
    at: migrations[names.indexOf(file)]!.folderMillis,
    rows: rowsOf(file),
  }))
/** Before the first release: one shop with rows and no migrations to run. */
const EARLIER = RELEASED.length
  ? RELEASED
  : [{ name: 'first-release', at: migrations.at(-1)!.folderMillis, rows: rowsOf('first-release.sql') }]

let database: OpenDatabase
let client: pg.Client
let fresh: string[]
beforeAll(async () => {
  database = await testDatabase()
  client = await connect(database.pool.options)
  fresh = await catalogueOf(client)
})
afterAll(async () => {
  await client?.end()
  await database?.close()
})

/** A shop that upgraded through each earlier release up to this one. */
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

test.each(EARLIER)(
  'a shop of $name is migrated with all its rows, and then equals a new one',
  async (earlier) => {
    await shopOf(earlier)
    const before = await rowsIn(client)
    await bringUpToDate(client, { besideWrites: true })
    expect(await catalogueOf(client)).toEqual(fresh)
    const after = await rowsIn(client)
    expect(Object.keys(before).length).toBeGreaterThan(20)
    for (const [table, count] of Object.entries(before))
      expect(after[table], table).toBeGreaterThanOrEqual(count)
    await bringUpToDate(client, {})
    expect(await rowsIn(client)).toEqual(after)
  },
)

test.runIf(RELEASED.length > 0)('a migration of an earlier release is not edited', () => {
  for (const { name, rows } of RELEASED)
    expect(/^-- migrations: (\S+)/.exec(rows)?.[1], `earlier/${name}.sql begins with`).toBe(hashUpTo(name))
})

function hashUpTo(name: string): string {
  const hash = createHash('sha256')
  for (const file of names.slice(0, names.indexOf(`${name}.sql`) + 1))
    hash.update(readFileSync(join(MIGRATIONS, file)))
  return hash.digest('hex').slice(0, 16)
}

test('each tagged release has a file in db/earlier', () => {
  const left = new Set(RELEASED.map(({ name }) => name))
  expect(tagsOfReleases().filter((tag) => !left.has(lastMigrationOf(tag)))).toEqual([])
})

/** Empty if this is not a clone, or one without tags. */
function tagsOfReleases(): string[] {
  try {
    return git('tag', '--list', 'v*').split('\n').filter(Boolean)
  } catch {
    return []
  }
}

function lastMigrationOf(tag: string): string {
  const journal = JSON.parse(git('show', `${tag}:server/db/migrations/meta/_journal.json`)) as {
    entries: { tag: string }[]
  }
  return journal.entries.at(-1)!.tag
}

const git = (...args: string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

test('a shop made before the first release is refused and left unchanged', async () => {
  const shop = await testDatabase()
  const there = await connect(shop.pool.options)
  try {
    await there.query('update drizzle.__drizzle_migrations set created_at = $1', [
      migrations[0]!.folderMillis - 1,
    ])
    const as = await catalogueOf(there)
    await expect(bringUpToDate(there, {})).rejects.toThrow(
      'This database was made before the first release of Murmur, and no upgrade leads from it to this one.',
    )
    await expect(pendingMigrations(shop)).rejects.toThrow('made before the first release')
    expect(await catalogueOf(there)).toEqual(as)
  } finally {
    await there.end()
    await shop.close()
  }
})

test('the schema in code equals the tables that the migrations create', async () => {
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
