import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { insertSubscription } from './queries.ts'
import { recordTrial, wasRefusedTrial } from './trials.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

async function aJoin(part: Partial<Parameters<typeof insertSubscription>[1]> = {}) {
  const { id: userId } = await aUser(shop)
  const now = shop.clock.now()
  const row = await insertSubscription(shop.db, {
    ...{ userId, plan: 4, status: 'canceled', orderedAt: now, trialEndsAt: now },
    ...{ periodStart: now, periodEnd: now, validUntil: now, anchor: now },
    ...part,
  })
  return { id: row.id, userId, begunAt: now }
}
const wasRefused = async (part?: Parameters<typeof aJoin>[0]) => wasRefusedTrial(shop, (await aJoin(part)).id)

test('API-78: a trial that ended before it began was refused', async () => {
  expect(await wasRefused()).toBe(true)
  const begun = await aJoin()
  await shop.db.transaction((tx) => recordTrial(tx, shop.config, begun))
  expect(await wasRefusedTrial(shop, begun.id)).toBe(false)
})

test('API-78: no trial was refused where none was ordered', async () => {
  expect(await wasRefusedTrial(shop, null)).toBe(false)
  expect(await wasRefused({ trialEndsAt: null })).toBe(false)
})

test('API-78: a trial that still waits, or that a later join replaced, was not refused', async () => {
  expect(await wasRefused({ status: 'incomplete' })).toBe(false)
  expect(await wasRefused({ supersededAt: shop.clock.now() })).toBe(false)
})
