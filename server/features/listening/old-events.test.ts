import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eq, sql } from 'drizzle-orm'
import { listeningEvents } from '#server/db/schema/listening.ts'
import { aUser, type TestUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { clearOldEvents } from './queries.ts'

let shop: TestShop
let nell: TestUser
beforeAll(async () => {
  shop = await testShop()
})
beforeEach(async () => {
  nell = await aUser(shop)
})
afterAll(() => shop.close())

const DAY = 24 * 3600
const arrivedNow = async () => {
  const eventId = randomUUID()
  await shop.db.insert(listeningEvents).values({ userId: nell.id, eventId, receivedAt: shop.now() })
  return eventId
}
const known = async () => {
  const rows = await shop.db.select().from(listeningEvents).where(eq(listeningEvents.userId, nell.id))
  return rows.map(({ eventId }) => eventId)
}

test('deletes the ids of events after a month, not before', async () => {
  await arrivedNow()
  shop.clock.advance(2 * DAY)
  const later = await arrivedNow()
  shop.clock.advance(29 * DAY)
  await clearOldEvents(shop.db, shop.now())
  expect(await known()).toEqual([later])
})

test('deletes all of them, although one transaction deletes five thousand at most', async () => {
  await shop.db.execute(sql`
    insert into listening_events (user_id, event_id, received_at)
    select ${nell.id}::uuid, gen_random_uuid(), ${shop.now().toISOString()}::timestamptz
    from generate_series(1, 5001)`)
  shop.clock.advance(31 * DAY)
  await clearOldEvents(shop.db, shop.now())
  expect(await known()).toEqual([])
})
