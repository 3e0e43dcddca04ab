import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OpenDatabase } from '#server/db/open.ts'
import { testDatabase } from '#tests/support/database.ts'
import { oneAtATime } from './one-at-a-time.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

test('an import waits for a running one, says so, and begins when that one has ended or failed', async () => {
  const { db } = database
  const seen: string[] = []
  const first = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const failing = oneAtATime(
    db,
    () => seen.push('the first waits'),
    async () => {
      seen.push('first')
      begun.resolve()
      await first.promise
      throw new Error('a folder that went away')
    },
  )
  await begun.promise
  const waits = Promise.withResolvers<void>()
  const second = oneAtATime(db, waits.resolve, async () => seen.push('second'))
  await waits.promise
  expect(seen).toEqual(['first'])
  first.resolve()
  await expect(failing).rejects.toThrow('went away')
  await second
  expect(seen).toEqual(['first', 'second'])
})

test('an import waits for a killed one no longer than its lease', async () => {
  const { db } = database
  await db.execute(sql`update jobs set held_by = gen_random_uuid(), held_until = now() - interval '1 second'`)
  expect(await oneAtATime(db, expect.unreachable, async () => 'begun')).toBe('begun')
})
