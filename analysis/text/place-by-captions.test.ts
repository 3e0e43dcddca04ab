import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeTimes } from '#contract/calculations/in-step.ts'
import { epub } from '#importer/fixtures/owners-folder.ts'
import { alignments, soundCaptions } from '#server/db/schema/in-step.ts'
import { anEBook } from '#tests/support/builders.ts'
import { aSoundingBook, aStoredFile } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { analyseTitle } from '../analyse-title.ts'
import { selectTitleToAnalyse } from '../queries.ts'
import { placeByCaptions } from './place-by-captions.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const SENTENCES = [
  'The tide was out.',
  'Nobody had counted the 21 pears.',
  'A sentence that nobody reads aloud at all.',
  'She counted them.',
  'Then she went home.',
]

const found = (captions: Parameters<typeof placeByCaptions>[1]) =>
  placeByCaptions(SENTENCES, captions, 'en-GB')

test('in step: captions give the times of sentences, even where their words differ a little', () => {
  const { placed, skipped, extra } = found([
    [0, 25, 'Read by Wren.'],
    [30, 170, 'The tide was out!'],
    [200, 430, 'No body had counted the twenty-one pears.'],
    [450, 590, 'she COUNTED them'],
    [600, 700, 'Then she went home.'],
  ])!
  expect(placed).toEqual([
    { id: 0, start: 30, end: 170, isCertain: true },
    { id: 1, start: 200, end: 430, isCertain: true },
    { id: 3, start: 450, end: 590, isCertain: true },
    { id: 4, start: 600, end: 700, isCertain: true },
  ])
  expect(skipped).toEqual([2])
  expect(extra).toBe(25)
})

test('in step: a sentence that starts within a caption is an estimate', () => {
  const { placed } = found([
    [30, 130, 'The tide was out. Nobody had'],
    [130, 430, 'counted the twenty one pears. She counted'],
    [430, 500, 'them.'],
    [510, 600, 'Then she went home.'],
  ])!
  expect(placed.map(({ id, isCertain }) => [id, isCertain])).toEqual([
    [0, true],
    [1, false],
    [3, false],
    [4, true],
  ])
  expect(placed[1]!.start).toBeGreaterThan(80)
  expect(placed[1]!.end).toBeLessThanOrEqual(placed[2]!.start)
})

test('in step: captions with other words than the text are not used', () => {
  const other = 'Far away, on another coast, a lamp burned for fishermen. '.repeat(30).split('. ')
  expect(found(other.map((words, at) => [at * 100, at * 100 + 90, words]))).toBeUndefined()
})

test('in step: captions are used before any sentence is searched, even for sound that cannot be decoded, and the report says if they cannot be used', async () => {
  const text =
    '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>The tide was out. Nobody counted.</p></body></html>'
  const fileId = await aStoredFile(shop, await epub({ files: { 'OEBPS/text/one.xhtml': text } }), 'epub')
  const eBook = await anEBook(shop, { slug: 'low-tide', title: 'Low tide', fileId })
  const bytes = Buffer.from('not a sound '.repeat(99))
  await aSoundingBook(shop, [{ title: 'One', bytes }], {
    slug: 'low-tide',
    title: 'Low tide',
    counterpartId: eBook.id,
  })
  const analyse = async (captions: (typeof soundCaptions.$inferSelect)['captions']) => {
    const { db, media, config } = shop
    await db.delete(alignments)
    await db.delete(soundCaptions)
    const soundId = await aStoredFile(shop, bytes, 'mp3')
    await db.insert(soundCaptions).values({ soundId, fileName: '01.vtt', captions })
    const analysing = { db, media, dataDir: config.dataDir, priority: () => 0 }
    await analyseTitle(analysing, (await selectTitleToAnalyse(db, 'low-tide'))!)
    return (await db.select().from(alignments))[0]!
  }
  const used = await analyse([
    [10, 50, 'The tide was out.'],
    [60, 90, 'Nobody counted.'],
  ])
  expect(used).toMatchObject({ source: 'owner', report: { sentences: 2, placed: 2, problem: null } })
  expect(decodeTimes(used.times)[1]).toEqual({ start: 60, end: 90, isCertain: true })
  const unused = await analyse([[10, 90, 'Something else entirely was said.']])
  expect(unused).toMatchObject({
    source: 'estimated',
    report: { placed: 0, problem: '01.vtt has other words than the text; the sound cannot be decoded' },
  })
})
