import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBuyer } from '#tests/support/a-purchase.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { read } from './cards-arguments.ts'
import { replaceCard, voidCard, describeBatches, describeCard } from '../features/cards/create-cards.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const words = (line: string) => read(line.split(' '))

test('the title, count, terms and folder of a batch are parsed from the command line', () => {
  expect(words('make --title low-light --count 12')).toEqual({
    ...{ verb: 'make', slug: 'low-light', count: 12 },
    ...{ folder: resolve('.'), layout: 'printer' },
  })
  const askedPriceMinor = 'make --title low-light --count 12 --outlet corner --price 11.5 --a4 --to out/cards'
  expect(words(askedPriceMinor)).toEqual({
    ...{ verb: 'make', slug: 'low-light', count: 12, outletSlug: 'corner', priceMinor: 1150 },
    ...{ folder: resolve('out/cards'), layout: 'a4' },
  })
  for (const count of ['', '0', '1.5', '-3', 'ten', '1000001'])
    expect(words(`make --title low-light --count=${count}`)).toBe(
      '--count says how many cards to make, from 1 to 1000000.',
    )
  for (const price of ['0', '0.00', '£12', '12,00', '1.234'])
    expect(words(`make --title low-light --count 1 --price ${price}`)).toBe(
      `--price is an amount in pounds, like 12.00, not “${price}”.`,
    )
})

test('a card is identified by its number, also in the three groups printed on it', () => {
  expect(words('find 482100577731')).toEqual({ verb: 'find', number: '482100577731' })
  expect(words('void 4821 0057 7731')).toEqual({ verb: 'void', number: '4821 0057 7731' })
  expect(words('void --batch 1001')).toEqual({ verb: 'voidBatch', batch: 1001 })
  expect(words('replace 4821-0057-7731 --a4')).toMatchObject({ number: '4821-0057-7731', layout: 'a4' })
})

test('any other input returns the usage, before a database is opened', () => {
  const lines = [
    '',
    'make',
    'make low-light --count 3',
    'list all',
    'find',
    'void',
    'void --batch x',
    'burn 1',
  ]
  // Two requests in one command are ambiguous.
  for (const line of [...lines, 'void 482100577731 --batch 1001'])
    expect(words(line), line).toMatch(/^Usage: npm run cards/)
  expect(words('make --titel low-light')).toMatch(/--titel.*\n\nUsage/s)
})

test('find reports the state of a card, but not its owner', async () => {
  expect(await describeBatches(shop.db)).toEqual(['There are no cards yet.'])
  const desk = await aBookshop(shop)
  const [sold, lost, gone] = [await aCard(shop), await aCard(shop), await aCard(shop)]
  const describe = async (number: string) => (await describeCard(shop.db, number)).join('\n')
  const inGroups = `${sold.number.slice(0, 4)} ${sold.number.slice(4, 8)} ${sold.number.slice(8)}`
  expect(await describe(inGroups)).toMatch(/, batch \d+\nnot sold yet$/)

  await desk.sell(sold)
  const reader = await aBuyer(shop)
  await reader.ask('POST', '/api/audiobook-cards/redeem', { token: sold.code })
  const told = await describe(sold.number)
  expect(told).toMatch(/\nsold by Corner House Books on [\d-]+ [\d:]+ UTC\nredeemed on [\d-]+ [\d:]+ UTC$/)
  expect(told).not.toContain(reader.user.email)

  await desk.sell(lost)
  const { card: other } = await replaceCard(shop, lost.number)
  expect(await describe(lost.number)).toMatch(/\nvoid since .* UTC, replaced by another$/)
  expect(await describe(other.number)).toContain('sold by Corner House Books')
  await voidCard(shop, gone.number)
  expect(await describe(gone.number)).toMatch(/batch \d+\nvoid since [^,]*$/)

  await expect(describe('4821 0057')).rejects.toThrow(/isn’t a card number/)
  expect((await describeBatches(shop.db))[0]).toMatch(/: 1 made, 1 sold, 1 redeemed, 0 void$/)
})
