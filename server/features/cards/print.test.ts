import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { parse } from 'csv-parse/sync'
import jsQR from 'jsqr'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { newCardCode, readTyped, cardHash } from '#server/codes/cards.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { makeBatch, type Layout, openTable, printCards, printTo } from './print.ts'
import { makeCards, type PrintedCard, voidBatch, voidCard } from './create-cards.ts'
import { selectAnyByNumber, selectBatches, selectByCode } from './queries.ts'

const run = promisify(execFile)
const hasReader = await run('pdftoppm', ['-v']).then(
  () => true,
  () => false,
)

let shop: TestShop
let folder: string
beforeAll(async () => {
  shop = await testShop()
  folder = await mkdtemp(join(tmpdir(), 'murmur-cards-'))
})
afterAll(async () => {
  await shop.close()
  await rm(folder, { recursive: true, force: true })
})

async function batchOf(count: number) {
  const { slug } = await anAudioBook(shop, {
    title: 'Zażółć & the Salt Ledger',
    availableAsCard: true,
    priceMinor: 1200,
    backgroundColour: '#8E2F28',
    textColour: '#FBEBDD',
  })
  const cards: PrintedCard[] = []
  const made = await makeCards(
    shop,
    { slug, count, priceMinor: 1150 },
    async (some) => void cards.push(...some),
  )
  return { made, cards }
}

const press = () => ({ publicUrl: shop.config.publicUrl, media: shop.media, name: 'Murmur' })

test('a batch has the requested number of cards with unique numbers and codes, at the given price', async () => {
  const { made, cards } = await batchOf(1203)
  expect(cards).toHaveLength(1203)
  expect(new Set(cards.flatMap(({ number, code }) => [number, code])).size).toBe(2406)
  const stored = await selectByCode(shop.db, cardHash(shop.config, readTyped(cards.at(-1)!.code)))
  expect(stored).toMatchObject({ priceMinor: 1150, activation: null, card: { number: cards.at(-1)!.number } })
  const batches = await selectBatches(shop.db)
  expect(batches.find(({ id }) => id === made.batch)).toMatchObject({ made: 1203, activated: 0, voided: 0 })
})

test('the table has one line per card, and only its owner can read the file', async () => {
  const { made, cards } = await batchOf(12)
  const path = join(folder, 'table.csv')
  const table = await openTable(path, press())
  await table.add(made, cards)
  await table.close()
  const rows: Record<string, string>[] = parse(await readFile(path), { bom: true, columns: true })
  expect(rows.map(({ code }) => code)).toEqual(cards.map(({ code }) => code))
  expect(rows[0]).toMatchObject({
    price: '11.50',
    address: `${shop.config.publicUrl}/redemption#${cards[0]!.code}`,
  })
  await expect(openTable(path, press())).rejects.toThrow(/EEXIST/)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

test.skipIf(!hasReader).for<Layout>(['printer', 'a4'])(
  'every number and code is on the %s’s paper once, a till’s scanner reads every number’s bars, and every QR code leads to its address',
  async (layout) => {
    const { made, cards } = await batchOf(layout === 'a4' ? 13 : 6)
    const path = join(folder, `${layout}.pdf`)
    await printCards(path, { made, cards, layout, press: press() })
    const { stdout: text } = await run('pdftotext', ['-layout', path, '-'])
    for (const { number, code } of cards) {
      expect(text.split(code)).toHaveLength(2)
      expect(text.split(number.replaceAll(/(.{4})(?!$)/g, '$1 '))).toHaveLength(2)
    }
    expect(text).toContain('Zażółć')
    if (layout === 'a4') await backToBack(path, cards.slice(0, 10))
    const pages = join(folder, layout)
    await run('pdftoppm', ['-r', '150', '-png', path, pages])
    const [found, numbers]: [string[], string[]] = [[], []]
    for (const name of (await readdir(folder)).filter((each) => each.startsWith(`${layout}-`)).toSorted()) {
      found.push(...(await codesIn(join(folder, name), layout)))
      numbers.push(...(await barsIn(join(folder, name))))
    }
    expect(numbers.toSorted()).toEqual(cards.map(({ number }) => number).toSorted())
    expect(found.toSorted()).toEqual(
      cards.map(({ code }) => `${shop.config.publicUrl}/redemption#${code}`).toSorted(),
    )
  },
)

/** After turning the sheet over its long edge, each code is behind its own number: the columns are swapped. */
async function backToBack(path: string, cards: readonly PrintedCard[]): Promise<void> {
  const orderOn = async (page: string, words: readonly string[]) => {
    const { stdout } = await run('pdftotext', ['-layout', '-f', page, '-l', page, path, '-'])
    return words.toSorted((one, two) => stdout.indexOf(one) - stdout.indexOf(two))
  }
  const numbers = cards.map(({ number }) => number.replaceAll(/(.{4})(?!$)/g, '$1 '))
  expect(await orderOn('1', numbers)).toEqual(numbers)
  const codes = cards.map(({ code }) => code)
  expect(await orderOn('2', codes)).toEqual(codes.map((_, place) => codes[place % 2 ? place - 1 : place + 1]))
}

async function barsIn(path: string): Promise<string[]> {
  const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm')
  const { buffer } = new Uint8Array(await readFile(wasm))
  await prepareZXingModule({ overrides: { wasmBinary: buffer }, fireImmediately: true })
  const found = await readBarcodes(new Uint8Array(await readFile(path)), { formats: ['Code128'] })
  return found.map(({ text }) => text)
}

/** The decoder finds one code at a time, so the sheet is cut into cards. */
async function codesIn(path: string, layout: Layout): Promise<string[]> {
  const picture = sharp(path)
  const { width, height } = await picture.metadata()
  const dots = 150 / 25.4
  const cells =
    layout === 'printer'
      ? [{ left: 0, top: 0, width, height }]
      : Array.from({ length: 10 }, (_, place) => ({
          left: Math.round((20 + (place % 2) * 85) * dots),
          top: Math.round((13.5 + Math.floor(place / 2) * 54) * dots),
          width: Math.floor(85 * dots),
          height: Math.floor(54 * dots),
        }))
  const found: string[] = []
  for (const cell of cells) {
    const { data, info } = await sharp(path)
      .extract(cell)
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const code = jsQR(new Uint8ClampedArray(data), info.width, info.height)
    if (code) found.push(code.data)
  }
  return found
}

test('voids an unsold card or the unsold rest of a batch, but never sold cards', async () => {
  const desk = await aBookshop(shop)
  const { made, cards } = await batchOf(4)
  const [sold, one] = cards as [PrintedCard, PrintedCard]
  await desk.sell(sold)
  await voidCard(shop, one.number)
  await expect(voidCard(shop, sold.number)).rejects.toThrow(/was sold/)
  expect(await voidBatch(shop, made.batch)).toBe(2)
  expect((await selectAnyByNumber(shop.db, sold.number))!.card.voidedAt).toBeNull()
  const refused = await desk.ask('POST', '/api/audiobook-cards/activate', { token: one.number })
  expect(refused.statusCode).toBe(404)
  await expect(voidCard(shop, (await aCard(shop)).code)).rejects.toThrow(/There is no card/)
})

test('reports a full disk and stops printing', async () => {
  const made = {
    ...{ batch: 1001, slug: 'low-light', title: 'Low Light', priceMinor: 1200 },
    ...{ coverId: null, backgroundColour: null, textColour: null },
  }
  const cards = Array.from({ length: 260 }, () => ({ number: '482100577731', code: newCardCode() }))
  const full = new Writable({
    write: (_chunk, _encoding, done) => done(new Error('ENOSPC: no space left on device')),
  })
  await expect(printTo(full, { made, cards, layout: 'printer', press: press() })).rejects.toThrow(/ENOSPC/)
})

test('writes a batch while creating it and prints it while reading it, with at most one sheet in memory', async () => {
  const { slug } = await anAudioBook(shop, { availableAsCard: true, priceMinor: 1200 })
  const request = { verb: 'make', slug, count: 47, folder, layout: 'a4' } as const
  const { made, path } = await makeBatch(shop, press(), request)
  const rows: PrintedCard[] = parse(await readFile(`${path}.csv`), { bom: true, columns: true })
  expect(new Set(rows.map(({ code }) => code)).size).toBe(47)
  expect((await stat(`${path}.pdf`)).mode & 0o777).toBe(0o600)
  expect((await selectBatches(shop.db)).find(({ id }) => id === made.batch)).toMatchObject({ made: 47 })

  let [read, printed] = [0, 0]
  function* asked() {
    for (; read < 45; read += 1) {
      expect(read - printed).toBeLessThanOrEqual(10)
      yield { number: rows[read]!.number.replaceAll(' ', ''), code: rows[read]!.code }
    }
  }
  const paper = { made, cards: asked(), layout: 'a4', press: press() } as const
  await printCards(join(folder, 'some.pdf'), { ...paper, onProgress: (count) => void (printed = count) })
  expect([read, printed]).toEqual([45, 45])
})

test('creates no cards if the table cannot be written', async () => {
  const { slug } = await anAudioBook(shop, { availableAsCard: true, priceMinor: 1200 })
  const request = { verb: 'make', slug, count: 3, folder: join(folder, 'nowhere'), layout: 'a4' } as const
  const before = await selectBatches(shop.db)
  await expect(makeBatch(shop, press(), request)).rejects.toThrow(/ENOENT/)
  expect(await selectBatches(shop.db)).toEqual(before)
})

test('creates cards only for audiobooks that are available as cards', async () => {
  const { slug } = await anAudioBook(shop, { availableAsCard: false })
  const make = (request: string) => makeCards(shop, { slug: request, count: 1 }, async () => undefined)
  await expect(make(slug)).rejects.toThrow(
    /not available as a card\. Say so in its book\.json, "audiobook": \{ "availableAsCard": true \}/,
  )
  await expect(make('no-such-title')).rejects.toThrow(/no audiobook/)
})

test.runIf(process.env.LONG)(
  'the rows and the table of 100,000 cards take at most a minute',
  { timeout: 1_800_000 },
  async () => {
    const begun = performance.now()
    const { made, cards } = await batchOf(100_000)
    const table = await openTable(join(folder, 'many.csv'), press())
    await table.add(made, cards)
    await table.close()
    expect(performance.now() - begun).toBeLessThan(60_000)
  },
)
