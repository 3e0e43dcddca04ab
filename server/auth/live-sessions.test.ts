import { eq } from 'drizzle-orm'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { sessions } from '#server/db/schema/accounts.ts'
import { aUser, signedIn } from '#tests/support/builders.ts'
import { heardStatements } from '#tests/support/statement-log.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { LiveSessions } from './live-sessions.ts'

let shop: TestShop
beforeAll(async () => void (shop = await testShop()))
afterAll(() => shop.close())

test('a session is looked up again after five seconds, in case the message of a log-out was lost', async () => {
  const user = await aUser(shop)
  await signedIn(shop, user)
  const [session] = await shop.db.select().from(sessions).where(eq(sessions.userId, user.id))
  const { id } = session!
  const register = new LiveSessions(shop)
  let time = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  const later = async (ms: number) => {
    time += ms
    // lru-cache caches its clock for a millisecond.
    await pause(5)
  }
  const isAlive = async () => (await register.find(id)) !== null

  expect(await isAlive()).toBe(true)
  expect(await heardStatements(isAlive)).toEqual([])
  // Deleted directly, so that no message is sent.
  await shop.db.delete(sessions).where(eq(sessions.id, id))
  await later(4_900)
  expect(await isAlive()).toBe(true)
  await later(200)
  expect(await isAlive()).toBe(true)
  await vi.waitFor(async () => expect(await isAlive()).toBe(false))
})

test('a request more than ten seconds after the last lookup waits for the database', async () => {
  const user = await aUser(shop)
  await signedIn(shop, user)
  const [session] = await shop.db.select().from(sessions).where(eq(sessions.userId, user.id))
  const register = new LiveSessions(shop)
  let time = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => time)
  expect(await register.find(session!.id)).not.toBeNull()
  await shop.db.delete(sessions).where(eq(sessions.id, session!.id))
  time += 10_100
  await pause(5)
  expect(await register.find(session!.id)).toBeNull()
})
