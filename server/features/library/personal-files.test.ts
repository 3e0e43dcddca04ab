import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import JSZip from 'jszip'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { feedEvents } from '#server/db/schema/feed.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mediaFiles } from '#server/db/schema/media.ts'
import { aBuyer, checkOut, comeBack, fillBag, payingShop, type PayingShop } from '#tests/support/purchases.ts'
import { anEBook, inLibrary, type TestBook } from '#tests/support/builders.ts'
import { mediaPath } from '../../integrations/media/paths.ts'
import { makeOwnFiles } from './personal-files.ts'

let at: PayingShop
let book: TestBook
beforeAll(async () => {
  at = await payingShop()
  const zip = new JSZip()
  zip.file('mimetype', 'application/epub+zip', { compression: 'STORE' })
  zip.file('META-INF/container.xml', '<container><rootfile full-path="EPUB/package.opf"/></container>')
  zip.file('EPUB/package.opf', '<package><metadata><title>An Almanac</title></metadata></package>')
  const bytes = await zip.generateAsync({ type: 'uint8array' })
  const fileId = createHash('sha256').update(bytes).digest('hex')
  await at.shop.media.put(mediaPath({ sha256: fileId, extension: 'epub' }), bytes)
  await at.shop.db.insert(mediaFiles).values({ sha256: fileId, extension: 'epub', bytes: bytes.length })
  book = await anEBook(at.shop, { fileId, madeAfterPurchase: true })
})
afterAll(() => at.shop.close())

async function copyOf(buyer: Awaited<ReturnType<typeof aBuyer>>): Promise<JSZip> {
  const { download } = (await buyer.ask('GET', `/api/e_books/${book.slug}`)).json()
  const answer = await at.shop.app.inject(download)
  expect(answer.statusCode).toBe(200)
  // Readers identify an EPUB by its first bytes, so `mimetype` must be first and uncompressed.
  expect(answer.rawPayload.subarray(30, 58).toString()).toBe('mimetypeapplication/epub+zip')
  return JSZip.loadAsync(answer.rawPayload)
}

async function anOwner(lastName: string) {
  const buyer = await aBuyer(at.shop, { firstName: 'Ada', lastName })
  const till = await checkOut(buyer, await fillBag(buyer, [{ ...book, kind: 'e_books' }]))
  at.payments.pay(till.intent)
  await comeBack(buyer, till)
  return buyer
}

test('a file that is made for its buyer is missing at first; when it exists, the feed says so', async () => {
  const buyer = await anOwner('Novak & <Sons>')
  expect((await buyer.ask('GET', `/api/e_books/${book.slug}`)).json()).toMatchObject({
    inLibrary: true,
    download: null,
    hideDownload: false,
  })
  expect(await makeOwnFiles(at.shop)).toBe(1)
  const copy = await copyOf(buyer)
  const description = await copy.file('EPUB/package.opf')!.async('string')
  expect(description).toContain('This copy was made for Ada Novak &amp; &lt;Sons&gt;.')
  expect(description).toContain('<title>An Almanac</title>')
  const told = await at.shop.db.select().from(feedEvents).where(eq(feedEvents.userId, buyer.user.id))
  expect(told.map(({ data }) => data)).toContainEqual({ type: 'epub', eBook: `/api/e_books/${book.slug}` })
  expect(await makeOwnFiles(at.shop)).toBe(0)
})

test('each owner has their own copy, created once, also by two instances at once', async () => {
  const [one, two] = [await anOwner('One'), await anOwner('Two')]
  const made = await Promise.all([makeOwnFiles(at.shop), makeOwnFiles(at.shop)])
  expect(made[0] + made[1]).toBe(2)
  for (const [owner, name] of [
    [one, 'Ada One'],
    [two, 'Ada Two'],
  ] as const)
    expect(await (await copyOf(owner)).file('EPUB/package.opf')!.async('string')).toContain(name)
  const entries = await at.shop.db.select().from(libraryEntries).where(eq(libraryEntries.bookId, book.id))
  expect(new Set(entries.map(({ fileId }) => fileId)).size).toBe(entries.length)
})

test('e-books that cannot be read never block the others, and are retried an hour later', async () => {
  const warned = vi.spyOn(at.shop.log, 'warn').mockReturnValue(undefined)
  const sha256 = createHash('sha256').update('no zip').digest('hex')
  await at.shop.media.put(mediaPath({ sha256, extension: 'epub' }), Buffer.from('no zip'))
  await at.shop.db.insert(mediaFiles).values({ sha256, extension: 'epub', bytes: 6 })
  const unreadable = await anEBook(at.shop, { fileId: sha256, madeAfterPurchase: true })
  // More than one batch of broken e-books, all older than the one that can be made.
  for (let count = 0; count < 21; count++)
    await inLibrary(at.shop, (await aBuyer(at.shop)).user, unreadable, { source: 'owner' })
  const buyer = await anOwner('Patient')
  expect(await makeOwnFiles(at.shop)).toBe(1)
  await copyOf(buyer)
  expect(warned).toHaveBeenCalledTimes(21)
  expect(await makeOwnFiles(at.shop)).toBe(0)
  expect(warned).toHaveBeenCalledTimes(21)
  const [entry] = await at.shop.db
    .select()
    .from(libraryEntries)
    .where(eq(libraryEntries.bookId, unreadable.id))
  expect(entry!.fileProblem).not.toBe('')
  at.shop.clock.advance(3_601)
  await makeOwnFiles(at.shop)
  expect(warned).toHaveBeenCalledTimes(42)
  warned.mockRestore()
})
