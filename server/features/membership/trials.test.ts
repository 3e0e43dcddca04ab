import { afterAll, beforeAll, expect, test } from 'vitest'
import { aUser } from '#tests/support/builders.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { insertTrials } from './billing-queries.ts'
import { insertSubscription } from './queries.ts'
import { endIfTrialUsed, recordTrial, trialHash, wasRefusedTrial } from './trials.ts'

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

test('API-78: a card that had a trial can’t begin another one, but a trial that has begun goes on with it', async () => {
  const before = await aJoin()
  const hash = trialHash(shop.config, 'method', 'used before')
  await insertTrials(shop.db, [hash], before.id, before.begunAt)
  const fake = fakeBilling()
  const ended: string[] = []
  const end = async (id: string) => {
    ended.push(id)
    return { id } as never
  }
  const billing = { ...fake, subscriptions: { ...fake.subscriptions, end } }
  const sync = async (status: 'incomplete' | 'trialing', fingerprint: string) => {
    const { id } = await aJoin({ status })
    const found = { id: `sub_${status}`, state: 'trialing', method: { fingerprint } } as never
    await endIfTrialUsed({ ...shop, billing }, id, found)
    return ended
  }
  expect(await sync('incomplete', 'never used')).toEqual([])
  expect(await sync('trialing', 'used before')).toEqual([])
  expect(await sync('incomplete', 'used before')).toEqual(['sub_incomplete'])
})
