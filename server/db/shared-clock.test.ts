import { sql } from 'drizzle-orm'
import { afterAll, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { openLog } from '../log/log.ts'
import { testDatabase } from '#tests/support/database.ts'
import { SharedClock, followSharedClock } from './shared-clock.ts'

const closings: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closings) await close()
})

const NOON = Date.parse('2026-03-01T12:00:00Z')

/** A machine and its database, with clocks that the test controls. */
function twoClocks() {
  const there = { database: NOON, wall: NOON, passed: 500, tookMs: 0, asked: 0, isGone: false }
  const clock = new SharedClock({
    async ask() {
      there.asked += 1
      there.passed += there.tookMs
      there.database += there.tookMs
      there.wall += there.tookMs
      if (there.isGone) throw new Error('gone')
      return there.database - there.tookMs / 2
    },
    wall: () => there.wall,
    passed: () => there.passed,
  })
  const goOn = (ms: number) => {
    there.database += ms
    there.wall += ms
    there.passed += ms
  }
  return { there, clock, goOn, read: () => clock.now().getTime() }
}
const answered = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a machine whose clock is an hour off uses the database’s time, and counts on between two queries', async () => {
  const { there, clock, goOn, read } = twoClocks()
  there.wall += HOUR_MS
  await clock.look()
  expect(read()).toBe(there.database)
  goOn(30_000)
  expect(read()).toBe(there.database)
  expect(there.asked).toBe(1)
})

test('a step of the machine’s clock changes nothing; after sleep the clock is queried at once', async () => {
  const { there, clock, goOn, read } = twoClocks()
  await clock.look()
  goOn(5_000)
  there.wall -= HOUR_MS
  expect(read()).toBe(there.database)
  await answered()
  goOn(5_000)
  expect(read()).toBe(there.database)
  expect(there.asked).toBe(2)
  // The monotonic clock stops during sleep.
  there.wall += HOUR_MS
  there.database += HOUR_MS
  read()
  await answered()
  expect(read()).toBe(there.database)
})

test('a database that is gone or slow leaves the time as it was, and is not queried with every call', async () => {
  const { there, clock, goOn, read } = twoClocks()
  await clock.look()
  goOn(5_000)
  there.isGone = true
  there.wall += HOUR_MS
  for (let call = 0; call < 5; call++) {
    expect(read()).toBe(there.database)
    await answered()
  }
  expect(there.asked).toBe(2)
  there.isGone = false
  const asCounted = () => NOON + there.passed - 500
  goOn(60_000)
  there.tookMs = 4_000
  there.database += HOUR_MS
  await clock.look()
  there.tookMs = 200
  const counted = asCounted()
  expect(read()).toBe(counted)
  await answered()
  expect(read()).toBe(there.database)
})

test('the first answer counts, however late it comes', async () => {
  const { there, clock, read } = twoClocks()
  there.tookMs = 4_000
  there.wall += HOUR_MS
  await clock.look()
  expect(read()).toBe(there.database)
})

test('a server whose database is an hour ahead has the database’s time', async () => {
  const database = await testDatabase()
  closings.push(() => database.close())
  const ending = new AbortController()
  await database.db.transaction(async (tx) => {
    await tx.execute(sql`create schema ahead`)
    await tx.execute(
      sql`create function ahead.clock_timestamp() returns timestamptz language sql
          as $$ select pg_catalog.clock_timestamp() + interval '1 hour' $$`,
    )
    await tx.execute(sql`set local search_path = ahead, pg_catalog`)
    const clock = await followSharedClock(tx, openLog('error'), ending.signal)
    ending.abort()
    expect(Math.abs(clock.now().getTime() - Date.now() - HOUR_MS)).toBeLessThan(MINUTE_MS)
  })
})
