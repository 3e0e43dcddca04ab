import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBuyer } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { typed } from '#tests/support/run-command.ts'
import { cardsCommand } from './cards.ts'
import { outletsCommand } from './outlets.ts'
import { describeBatches, describeCard, replaceCard, voidCard } from '../features/cards/create-cards.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const cards = (line: string) => typed(shop, cardsCommand, line.split(' '))
const folder = mkdtempSync(join(tmpdir(), 'murmur-cards-'))
afterAll(() => rmSync(folder, { recursive: true }))

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

test('the title, count, terms and folder of a batch are parsed from the command line', async () => {
  const { slug } = await anAudioBook(shop, { priceMinor: 900, availableAsCard: true })
  await typed(shop, outletsCommand, ['add', '--name', 'Corner', '--email', 'corner@post.example'])
  const made = await cards(
    `make --title ${slug} --count 2 --outlet corner --price 11.5 --a4 --to ${folder}/new`,
  )
  expect(made.said).toMatch(/^Batch \d+: 2 cards of .*, £11\.50 each\.\n/)
  expect(readdirSync(join(folder, 'new')).map((name) => name.split('.').at(-1))).toEqual(['csv', 'pdf'])
  for (const count of ['', '0', '1.5', '-3', 'ten', '1000001'])
    await expect(cards(`make --title ${slug} --count=${count}`)).rejects.toThrow(
      `--count is a whole number from 1 to 1000000, not “${count}”.`,
    )
  for (const price of ['0', '0.00', '£12', '12,00', '1.234'])
    await expect(cards(`make --title ${slug} --count 1 --price ${price}`)).rejects.toThrow(
      `--price is an amount in pounds, like 12.00, not “${price}”.`,
    )
})

test('a card is identified by its number, also in the three groups printed on it', async () => {
  const [one, other] = [await aCard(shop), await aCard(shop)]
  const inGroups = `${one.number.slice(0, 4)} ${one.number.slice(4, 8)} ${one.number.slice(8)}`
  expect((await cards(`find ${one.number}`)).said).toMatch(/not sold yet$/)
  expect((await cards(`void ${inGroups}`)).said).toBe(`${inGroups} is void.`)
  const batch = /batch (\d+)/.exec((await cards(`find ${other.number}`)).said)![1]!
  expect((await cards(`void --batch ${batch}`)).said).toBe(`1 cards of batch ${batch} are void.`)
})

test('any other input returns the usage, before a database is opened', async () => {
  const lines = [
    '',
    'make',
    'make low-light --count 3',
    'list all',
    'find',
    'void',
    'burn 1',
    // Two requests in one command are ambiguous.
    'void 482100577731 --batch 1001',
    // The next option is not the value of this one.
    'make --title --count 3',
  ]
  for (const line of lines) await expect(cards(line), line).rejects.toThrow(/Usage: npm run cards/)
  await expect(cards('void --batch x')).rejects.toThrow('--batch is a whole number')
  await expect(cards('make --title low-light --count 1 --pirce 3')).rejects.toThrow(
    /--pirce.*Did you mean --price.*\n\nUsage/s,
  )
})
