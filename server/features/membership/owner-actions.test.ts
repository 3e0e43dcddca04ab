import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aBuyer } from '#tests/support/purchases.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { countUsableCredits, selectCreditStates } from './credit-queries.ts'
import { giveCredits, giveMonths } from './owner-actions.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const inAnHour = () => new Date(shop.clock.now().getTime() + 3_600_000)

test('free months and free audiobooks go only to an account that exists', async () => {
  const userId = randomUUID()
  await expect(giveMonths(shop, { userId, plan: 1, months: 2 })).rejects.toThrow('Not Found')
  await expect(giveCredits(shop, { userId, ids: [randomUUID()], until: inAnHour() })).rejects.toThrow(
    'Not Found',
  )
})

test('a free audiobook is given until a moment in the future', async () => {
  const { user } = await aBuyer(shop)
  const now = shop.clock.now()
  const clock = vi.spyOn(shop.clock, 'now').mockReturnValue(now)
  await expect(giveCredits(shop, { userId: user.id, ids: [randomUUID()], until: now })).rejects.toThrow(
    'That day is over.',
  )
  clock.mockRestore()
  await giveCredits(shop, { userId: user.id, ids: [randomUUID(), randomUUID()], until: inAnHour() })
  expect(await countUsableCredits(shop.db, user.id, shop.clock.now())).toBe(2)
})

test('only a user with a usable free audiobook counts as having one, also in a batch', async () => {
  const [one, other] = [await aBuyer(shop), await aBuyer(shop)]
  await giveCredits(shop, { userId: one.user.id, ids: [randomUUID()], until: inAnHour() })
  const ids = [other.user.id, one.user.id]
  expect(
    (await selectCreditStates(shop.db, ids, shop.clock.now())).map(({ hasCredit }) => hasCredit),
  ).toEqual([false, true])
})
