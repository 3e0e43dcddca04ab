import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase } from '#tests/support/database.ts'
import type { OpenDatabase } from './open.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('works', async () => {
  const r = await database.db.execute<{ version: string }>(sql`select version()`)
  expect(r.rows).toHaveLength(1)
})
