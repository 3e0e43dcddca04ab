import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCardNumber } from '#server/codes/cards.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'

import { testShop, type TestShop } from '#tests/support/shop.ts'
import { makeCards, replaceCard, voidBatch } from './create-cards.ts'
import { selectAnyByNumber } from './queries.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('a replacement whose number exists gets another number, and the other card keeps its sale', async () => {
  const desk = await aBookshop(shop)
  const [worn, other] = [await aCard(shop), await aCard(shop)]
  const id = await desk.sell(worn)
  const numbers = [other.number]
  const { card } = await replaceCard(shop, worn.number, () => numbers.pop() ?? newCardNumber())
  expect(numbers).toEqual([])
  expect(card.number).not.toBe(other.number)
  expect(await selectAnyByNumber(shop.db, other.number)).toMatchObject({ activation: null })
  expect(await selectAnyByNumber(shop.db, card.number)).toMatchObject({ activation: { id } })
})

test('can void a batch with more cards than a statement can have parameters', async () => {
  const { slug } = await anAudioBook(shop, { availableAsCard: true, priceMinor: 1200 })
  const { batch } = await makeCards(shop, { slug, count: 1 }, async () => undefined)
  await shop.db.execute(sql`
      insert into cards (batch_id, number, code_hash)
      select ${batch}::int, 'many-' || n, 'many-' || n from generate_series(1, 66000) n`)
  expect(await voidBatch(shop, batch)).toBe(66_001)
  expect(await voidBatch(shop, batch)).toBe(0)
})
