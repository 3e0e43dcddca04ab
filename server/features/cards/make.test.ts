import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newCardCode, newCardNumber } from '#server/codes/cards.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { replaceCard } from './make.ts'
import { printTo } from './print.ts'
import { selectAnyByNumber } from './rows.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('a new card whose number another one has already is made anew, and the sale is not the other one’s', async () => {
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

test('a disk that is full ends the printing, and is told', async () => {
  const made = {
    ...{ batch: 1001, slug: 'low-light', title: 'Low Light', priceMinor: 1200 },
    ...{ coverId: null, backgroundColour: null, textColour: null },
  }
  const cards = Array.from({ length: 260 }, () => ({ number: '482100577731', code: newCardCode() }))
  const press = { publicUrl: shop.config.publicUrl, mediaDir: shop.mediaDir }
  const full = new Writable({
    write: (_chunk, _encoding, done) => done(new Error('ENOSPC: no space left on device')),
  })
  await expect(printTo(full, { made, cards, layout: 'printer', press })).rejects.toThrow(/ENOSPC/)
})
