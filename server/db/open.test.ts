import { eq, sql } from 'drizzle-orm'
import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDataDir, testDatabase } from '#tests/support/database.ts'
import { migrationsFolder } from '#tests/support/migrations-folder.ts'
import { startPostgres } from '#tests/support/postgres.ts'
import { type Db, type OpenDatabase, openDatabase } from './open.ts'
import { isUnavailable } from './errors.ts'

const notes = pgTable('notes', { id: integer().primaryKey(), text: text().notNull() })

describe('the open database', () => {
  let database: OpenDatabase
  beforeAll(async () => {
    database = await testDatabase()
    await database.db.execute(sql`CREATE TABLE notes (id int PRIMARY KEY, text text NOT NULL)`)
  })
  afterAll(() => database.close())

  const textOf = async (db: Db, id: number) =>
    (await db.select({ text: notes.text }).from(notes).where(eq(notes.id, id)))[0]?.text

  test('a transaction is stored completely or not at all', async () => {
    const { db } = database
    const result = await db.transaction(async (tx) => {
      await tx.insert(notes).values({ id: 1, text: 'kept' })
      return textOf(tx, 1)
    })
    expect(result).toBe('kept')
    const failed = db.transaction(async (tx) => {
      await tx.insert(notes).values({ id: 2, text: 'lost' })
      throw new Error('changed my mind')
    })
    await expect(failed).rejects.toThrow('changed my mind')
    expect(await textOf(db, 1)).toBe('kept')
    expect(await textOf(db, 2)).toBeUndefined()
  })

  test('a failing statement has its SQLSTATE as code, and is no reason to answer 503', async () => {
    const twice = database.db.insert(notes).values([
      { id: 9, text: 'one' },
      { id: 9, text: 'two' },
    ])
    const error = await twice.catch((caught: unknown) => caught)
    expect(error).toMatchObject({ cause: { code: '23505' } })
    expect(isUnavailable(error)).toBe(false)
  })

  test('the extensions that search needs are available', async () => {
    for (const name of ['pg_trgm', 'unaccent', 'citext']) {
      await database.db.execute(sql.raw(`CREATE EXTENSION IF NOT EXISTS ${name}`))
    }
    const { rows } = await database.db.execute(
      sql`SELECT unaccent('Brontë') AS plain, word_similarity('bronte', 'charlotte bronte') AS near,
          'A'::citext = 'a'::citext AS same`,
    )
    expect(rows).toEqual([{ plain: 'Bronte', near: 1, same: true }])
  })

  test('a listener gets notifications of its channel until it stops', async () => {
    const heard: string[] = []
    const stop = await database.listen('ears', (payload) => heard.push(payload))
    await database.db.execute(sql`SELECT pg_notify('ears', 'one')`)
    await expect.poll(() => heard).toEqual(['one'])
    await stop()
    await database.db.execute(sql`SELECT pg_notify('ears', 'two')`)
    await database.db.execute(sql`SELECT 1`)
    expect(heard).toEqual(['one'])
  })

  test('a server that freezes in a transaction blocks others only until the idle timeout', async () => {
    const other = await testDatabase({ idleInTransactionMs: 200 })
    await other.pool.query('CREATE TABLE held (id int PRIMARY KEY, by text); INSERT INTO held VALUES (1)')
    const frozen = await other.pool.connect()
    await frozen.query(`BEGIN; UPDATE held SET by = 'frozen'`)
    await other.pool.query(`UPDATE held SET by = 'another'`)
    const woken = await frozen.query('COMMIT').catch((error: unknown) => error)
    expect(isUnavailable(woken)).toBe(true)
    frozen.release(true)
    expect((await other.pool.query('SELECT by FROM held')).rows).toEqual([{ by: 'another' }])
    await other.close()
  })

  test('transactions that cannot begin do not use up the connections', async () => {
    const other = await testDatabase()
    other.pool.on('connect', (client) => {
      const query = client.query.bind(client) as (...given: unknown[]) => unknown
      // The connection dies between being taken and its first statement.
      client.query = ((...given: unknown[]) => {
        const asked = given[0] as { text?: string }
        if (asked.text === 'begin' && broken) client.connection.stream.destroy()
        return query(...given)
      }) as typeof client.query
    })
    let broken = true
    for (let i = 0; i < 12; i++) {
      const failed = await other.db.transaction(async () => {}).catch((error: unknown) => error)
      expect(isUnavailable(failed)).toBe(true)
    }
    broken = false
    expect(await other.db.transaction(async () => 'begun')).toBe('begun')
    await other.close()
  })
})

describe('migrations', () => {
  const folders: string[] = []
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })))

  function migrations(...statements: string[]): string {
    const folder = migrationsFolder(...statements)
    folders.push(folder)
    return folder
  }
  const FIRST = 'CREATE TABLE steps (id int); INSERT INTO steps VALUES (1)'
  const SECOND = 'INSERT INTO steps VALUES (2)'

  test('migrations only go forward, each once, and an older version leaves a newer schema alone', async () => {
    const dataDir = await freshDataDir()
    folders.push(dataDir)
    const stepsAfter = async (folder: string) => {
      const database = await openDatabase({ dataDir, migrations: folder })
      const { rows } = await database.pool.query('SELECT id FROM steps ORDER BY id')
      await database.close()
      return rows.map(({ id }) => id)
    }
    expect(await stepsAfter(migrations(FIRST))).toEqual([1])
    expect(await stepsAfter(migrations(FIRST, SECOND))).toEqual([1, 2])
    expect(await stepsAfter(migrations(FIRST))).toEqual([1, 2])
  })

  test('an address that leads to no database causes one sentence that says what to do', async () => {
    const dataDir = await freshDataDir()
    const openAt = (databaseUrl: string) => openDatabase({ dataDir, databaseUrl })
    await expect(openAt('postgresql://shop@127.0.0.1:1/shop')).rejects.toThrow(
      'DATABASE_URL cannot be used (ECONNREFUSED): nothing answers there. Is PostgreSQL running, and are host and port right?',
    )
    const postgres = await startPostgres({ durable: false })
    try {
      await expect(openAt(postgres.url.replace('@/postgres', '@/shop'))).rejects.toThrow(
        /createdb --owner USER NAME$/,
      )
      await expect(openAt(postgres.url.replace('postgres@', 'nobody@'))).rejects.toThrow(
        /Are user and password right/,
      )
    } finally {
      await postgres.stop()
    }
  })

  test('one of several instances that start together migrates', async () => {
    const postgres = await startPostgres({ durable: false })
    const options = { dataDir: tmpdir(), databaseUrl: postgres.url, migrations: migrations(FIRST, SECOND) }
    const instances = await Promise.all(Array.from({ length: 5 }, () => openDatabase(options)))
    const { rows } = await instances[0]!.pool.query('SELECT id FROM steps ORDER BY id')
    expect(rows).toEqual([{ id: 1 }, { id: 2 }])
    await Promise.all(instances.map((instance) => instance.close()))
    await postgres.stop()
  })
})
