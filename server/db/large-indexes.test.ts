import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import { migrationsFolder } from '#tests/support/migrations-folder.ts'
import { soon } from '#tests/support/wait-for.ts'
import { connect, isBesideWrites, migrate } from './migrate.ts'
import { type OpenDatabase, openDatabase } from './open.ts'

let database: OpenDatabase
let config: pg.ClientConfig
const folders: string[] = []
const clients: pg.Client[] = []
beforeAll(async () => {
  database = await testDatabase()
  const { connectionString } = database.pool.options
  config = connectionString ? { connectionString } : database.pool.options
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end()))
  await database.pool.query(
    'drop table if exists heard; delete from drizzle.__drizzle_migrations where created_at >= 4000000000000',
  )
})
afterAll(async () => {
  await database.close()
  folders.forEach((folder) => rmSync(folder, { recursive: true }))
})

function migrations(...given: string[]): string {
  folders.push(migrationsFolder(...given))
  return folders.at(-1)!
}
const another = async () => {
  const client = await connect(config)
  clients.push(client)
  return client
}
const TABLE = 'create table heard (id int, word text)'
const INDEX = '-- Many rows.\nCREATE INDEX CONCURRENTLY "heard_word" ON "heard" USING btree ("word")'
const UNIQUE = 'CREATE UNIQUE INDEX CONCURRENTLY "heard_word" ON "heard" ("word")'

const indexes = async () =>
  (
    await database.pool.query<{ name: string; valid: boolean }>(
      `select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = 'heard'::regclass`,
    )
  ).rows

test('a concurrent index is also built if there is only one session', async () => {
  await migrate(config, migrations(TABLE, INDEX))
  expect(await indexes()).toEqual([{ name: 'heard_word', valid: true }])
})

test('a concurrent index must have its own migration', () => {
  expect(isBesideWrites({ sql: [INDEX, UNIQUE] })).toBe(true)
  expect(isBesideWrites({ sql: [TABLE, 'create index concurrently_named on heard (id)'] })).toBe(false)
  expect(() => isBesideWrites({ sql: [TABLE, INDEX] })).toThrow('a migration for itself')
})

describe('while an index is built', () => {
  test('others can write', async () => {
    await migrate(config, migrations(TABLE))
    const [slow, quick] = [await another(), await another()]
    await slow.query('begin')
    await slow.query(`insert into heard values (1, 'slow')`)
    const built = migrate(config, migrations(TABLE, INDEX))
    // The build waits for older transactions; an ordinary index would also block all later writes.
    await soon(async () =>
      expect((await quick.query('select phase from pg_stat_progress_create_index')).rows).toEqual([
        { phase: 'waiting for writers before build' },
      ]),
    )
    await quick.query(`set lock_timeout = '10s'`)
    await quick.query(`insert into heard values (2, 'quick')`)
    await slow.query('commit')
    await built
    expect(await indexes()).toEqual([{ name: 'heard_word', valid: true }])
    expect((await quick.query('select word from heard order by id')).rows).toHaveLength(2)
  })

  test('a failed build is repeated at the next start', async () => {
    const folder = migrations(TABLE, UNIQUE)
    await migrate(config, migrations(TABLE))
    await database.pool.query(`insert into heard values (1, 'twice'), (2, 'twice')`)
    await expect(migrate(config, folder)).rejects.toMatchObject({ code: '23505' })
    expect(await indexes()).toEqual([{ name: 'heard_word', valid: false }])
    await database.pool.query('delete from heard where id = 2')
    await migrate(config, folder)
    expect(await indexes()).toEqual([{ name: 'heard_word', valid: true }])
  })

  test('other instances wait for it, and it does not wait for them', async () => {
    const { connectionString } = config
    const options = {
      dataDir: tmpdir(),
      databaseUrl: connectionString!,
      migrations: migrations(TABLE, INDEX, 'alter table heard add column at int'),
    }
    const instances = await Promise.all(Array.from({ length: 4 }, () => openDatabase(options)))
    expect(await indexes()).toEqual([{ name: 'heard_word', valid: true }])
    await Promise.all(instances.map((instance) => instance.close()))
  })
})
