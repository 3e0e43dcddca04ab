import type * as nodeFs from 'node:fs'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import * as codes from '#server/codes/cards.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { replaceCard } from './make.ts'
import { printCards } from './print.ts'
import { selectAnyByNumber } from './rows.ts'

vi.mock('#server/codes/cards.ts', async (original) => {
  const real = await original<typeof codes>()
  return { ...real, newCardNumber: vi.fn(real.newCardNumber) }
})
vi.mock('node:fs', async (original) => {
  const real = await original<typeof nodeFs>()
  const createWriteStream = (path: string, options: object) =>
    path.endsWith('full.pdf') ? fullDisk() : real.createWriteStream(path, options)
  return { ...real, createWriteStream }
})

/** Opens, and has no room for anything. */
function fullDisk(): Writable {
  const disk = new Writable({
    write: (_chunk, _encoding, done) => done(new Error('ENOSPC: no space left on device')),
  })
  setImmediate(() => disk.emit('open'))
  return disk
}

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

test('a new card whose number another one has already is made anew, and the sale is not the other one’s', async () => {
  const desk = await aBookshop(shop)
  const [worn, other] = [await aCard(shop), await aCard(shop)]
  const id = await desk.sell(worn)
  vi.mocked(codes.newCardNumber).mockReturnValueOnce(other.number)
  const { card } = await replaceCard(shop, worn.number)
  expect(card.number).not.toBe(other.number)
  expect(await selectAnyByNumber(shop.db, other.number)).toMatchObject({ activation: null })
  expect(await selectAnyByNumber(shop.db, card.number)).toMatchObject({ activation: { id } })
})

test('a disk that is full ends the printing, and is told', async () => {
  const made = {
    ...{ batch: 1001, slug: 'low-light', title: 'Low Light', priceMinor: 1200 },
    ...{ coverId: null, backgroundColour: null, textColour: null },
  }
  const cards = Array.from({ length: 260 }, () => ({ number: '482100577731', code: codes.newCardCode() }))
  const press = { publicUrl: shop.config.publicUrl, mediaDir: shop.mediaDir }
  await expect(printCards('full.pdf', { made, cards, layout: 'printer', press })).rejects.toThrow(/ENOSPC/)
})
