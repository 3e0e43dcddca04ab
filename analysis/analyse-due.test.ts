import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { books, chapters } from '#server/db/schema/catalogue.ts'
import { analysisRequests, soundAnalyses } from '#server/db/schema/in-step.ts'
import { MissingMedia } from '#server/integrations/media/media-store.ts'
import { mediaFiles } from '#server/db/schema/media.ts'
import { anEBook } from '#tests/support/builders.ts'
import { aSoundingBook, aStoredFile } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { analyseDue, priorityOf } from './analyse-due.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())
beforeEach(async () => {
  await shop.db.delete(books)
  await shop.db.delete(mediaFiles)
})

const bytesOf = (name: string) => Buffer.from(`the sound of ${name}`)
const aBook = (name: string, fields: Parameters<typeof aSoundingBook>[2] = {}) =>
  aSoundingBook(shop, [{ title: name, bytes: bytesOf(name) }], { slug: name, title: name, ...fields })

/** Every file is missing, so that no thread decodes: the analysis stores that as the result. */
const isMissing = (path: string) => Promise.reject(new MissingMedia(path))

/** The titles in the order of their analysis. */
async function run(options: Partial<Parameters<typeof analyseDue>[0]> = {}): Promise<string[]> {
  const begun: string[] = []
  await analyseDue({
    db: shop.db,
    media: { stream: isMissing },
    dataDir: shop.config.dataDir,
    priority: () => 0,
    isBusy: () => false,
    onProgress: (what, share) => void (share === 0 && begun.push(what.split(',')[0]!)),
    ...options,
  })
  return begun
}

test('in step: the job analyses what was imported, the newest title first, and nothing twice', async () => {
  await aBook('older')
  await aBook('newer')
  expect(await run()).toEqual(['newer', 'older'])
  expect(await run()).toEqual([])
})

test('in step: new sound, and the e-book that comes later, are analysed', async () => {
  const book = await aBook('later')
  await run()
  await shop.db
    .update(chapters)
    .set({ soundId: await aStoredFile(shop, bytesOf('again'), 'mp3') })
    .where(eq(chapters.bookId, book.id))
  expect(await run()).toEqual(['later'])
  const fileId = await aStoredFile(shop, Buffer.from('not an e-book'), 'epub')
  const eBook = await anEBook(shop, { fileId })
  await shop.db.update(books).set({ counterpartId: eBook.id }).where(eq(books.id, book.id))
  expect(await run()).toEqual(['later'])
  expect(await run()).toEqual([])
})

test('in step: nothing begins while the machine is busy or the server stops', async () => {
  await aBook('waiting')
  expect(await run({ isBusy: () => true })).toEqual([])
  expect(await run({ signal: AbortSignal.abort() })).toEqual([])
  expect(await shop.db.$count(soundAnalyses)).toBe(0)
})

test('in step: on a machine that is always busy, a title is analysed after a day', async () => {
  const book = await aBook('patient')
  await aBook('new')
  await shop.db
    .update(books)
    .set({ updatedAt: sql`now() - interval '25 hours'` })
    .where(eq(books.id, book.id))
  expect(await run({ isBusy: () => true })).toEqual(['patient'])
})

test('in step: what was asked for or has waited gets a tenth of a busy processor, everything else only what is left', () => {
  const [fresh, asked, patient] = [
    { isAsked: false, hasWaited: false },
    { isAsked: true, hasWaited: false },
    { isAsked: false, hasWaited: true },
  ]
  expect([fresh, asked, patient].map((due) => priorityOf(due, true))).toEqual([19, 10, 10])
  expect([fresh, asked, patient].map((due) => priorityOf(due, false))).toEqual([19, 19, 19])
})

test('in step: what the owner asks for comes first, on a busy machine too, again if nothing is new, and once', async () => {
  const book = await aBook('asked')
  await aBook('newest')
  const ask = () => shop.db.insert(analysisRequests).values({ bookId: book.id, askedAt: new Date() })
  await ask()
  expect(await run({ isBusy: () => true })).toEqual(['asked'])
  await ask()
  expect(await run()).toEqual(['asked'])
  expect(await run()).toEqual(['newest'])
  expect(await shop.db.$count(analysisRequests)).toBe(0)
})

test('in step: a title whose files cannot be fetched does not stop the others, and the job reports it', async () => {
  await aBook('good')
  await aBook('bad')
  let asked = 0
  const media = {
    stream: (path: string) =>
      asked++ === 0 ? Promise.reject(new Error('the bucket is away')) : isMissing(path),
  }
  await expect(run({ media })).rejects.toThrow('the bucket is away')
  expect(await shop.db.$count(soundAnalyses)).toBe(1)
  expect(await run()).toEqual(['bad'])
})
