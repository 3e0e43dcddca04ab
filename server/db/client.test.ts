import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import type { OpenDatabase } from './open.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await testDatabase()
  await database.pool.query('CREATE TABLE notes (id int PRIMARY KEY, text text)')
})
afterAll(() => database.close())

async function preparedWith(text: string, { pool }: OpenDatabase = database): Promise<number> {
  const { rows } = await pool.query(
    `SELECT count(*)::int FROM pg_prepared_statements WHERE strpos(statement, '${text}') > 0 AND name <> ''`,
  )
  return rows[0].count
}

test('a parameterised query is prepared when it runs for the second time', async () => {
  const ask = () => database.pool.query('SELECT $1::int AS twice', [2])
  await ask()
  expect(await preparedWith('AS twice')).toBe(0)
  expect((await ask()).rows).toEqual([{ twice: 2 }])
  expect((await ask()).rows).toEqual([{ twice: 2 }])
  expect(await preparedWith('AS twice')).toBe(1)
})

test('at most three hundred queries are prepared, so that they do not fill the memory', async () => {
  for (let i = 0; i < 320; i++) {
    await database.pool.query(`SELECT $1::int AS many_${i}`, [i])
    await database.pool.query(`SELECT $1::int AS many_${i}`, [i])
  }
  const prepared = await preparedWith('AS ')
  expect(prepared).toBeLessThanOrEqual(300)
  expect(prepared).toBeGreaterThan(250)
})

test('prepared statements can be disabled for a pooler that does not support them', async () => {
  const plain = await testDatabase({ namedStatements: false })
  for (let i = 0; i < 3; i++) await plain.pool.query('SELECT $1::int AS unnamed', [i])
  expect(await preparedWith('AS unnamed', plain)).toBe(0)
  await plain.close()
})

test('after a schema change a prepared query fails at most once', async () => {
  const { pool } = database
  await pool.query('CREATE TABLE changing (id int)')
  const ask = () => pool.query('SELECT * FROM changing WHERE id > $1', [0])
  for (let i = 0; i < 3; i++) await ask()
  await pool.query('ALTER TABLE changing ADD COLUMN added int')
  const failure = await ask().then(
    () => undefined,
    (error: { code: string }) => error.code,
  )
  expect([undefined, '0A000']).toContain(failure)
  expect((await ask()).fields.map(({ name }) => name)).toEqual(['id', 'added'])
})

test('a failing query does not close its connection', async () => {
  let removed = 0
  database.pool.on('remove', () => removed++)
  await database.pool.query('INSERT INTO notes (id) VALUES ($1)', [1])
  for (let i = 0; i < 5; i++) {
    await expect(database.pool.query('INSERT INTO notes (id) VALUES ($1)', [1])).rejects.toMatchObject({
      code: '23505',
    })
  }
  expect(removed).toBe(0)
})
