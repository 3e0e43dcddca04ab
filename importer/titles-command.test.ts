import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { books, chapters } from '#server/db/schema/catalogue.ts'
import { bookTimes } from '#server/db/schema/listening.ts'
import { mediaFiles } from '#server/db/schema/media.ts'
import { mediaPath } from '#server/integrations/media/paths.ts'
import { anAudioBook, anEBook, aUser, inLibrary } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { typed } from '#tests/support/run-command.ts'
import { mp3, OwnersFolder } from './fixtures/owners-folder.ts'
import { titlesCommand } from './titles-command.ts'

const folder = new OwnersFolder()
let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(async () => {
  await shop.close()
  folder.remove()
})

const titles = (...argv: string[]) => typed(shop, titlesCommand, argv)
const WHY = ['--because', 'a better one', '--yes']

test('a title that was imported without a price is sold as soon as it has one', async () => {
  const slug = 'unpriced'
  await anAudioBook(shop, { slug, title: 'Unpriced', priceMinor: 0, published: false })
  expect((await titles('show', slug)).said).toContain('  no price, not on sale: it has no price')
  expect((await titles('price', slug, '9.99', ...WHY)).said).toContain(
    'Unpriced (audiobook): £9.99, on sale.',
  )
  expect((await shop.app.inject(`/api/audio_books/${slug}`)).json()).toMatchObject({ published: true })
})

test('a title is shown, repriced and retired, and the running shop is notified', async () => {
  const slug = 'peat'
  await anAudioBook(shop, { slug, title: 'Peat', priceMinor: 1200, importedFrom: '/books/./peat' })
  await anEBook(shop, { slug, title: 'Peat', priceMinor: 600 })
  let heard = 0
  await shop.database.listen('catalogue_changed', () => void heard++)
  const { said } = await titles('show', slug)
  for (const part of [
    'Peat (audiobook)',
    '£12.00, on sale',
    '3 chapters, owned by 0 people',
    'From /books/peat',
    '£6.00',
  ])
    expect(said).toContain(part)
  const priced = await titles('price', slug, '9.99', '--format', 'audiobook', '--member', '8.50', ...WHY)
  expect(priced.said).toContain('costs £9.99 from now on, £12.00 before')
  expect(priced.said).toContain('npm run titles -- follow peat price hands it back to /books/peat')
  expect((await shop.app.inject(`/api/audio_books/${slug}`)).json()).toMatchObject({ price: 9.99 })
  await expect(titles('price', slug, '9.9', ...WHY)).rejects.toThrow(/A price is written 9.99/)
  await expect(titles('price', slug, '5.00', '--member', '6.00', ...WHY)).rejects.toThrow(/never pay more/)
  // The shop would charge the discounted member price instead.
  await expect(titles('price', slug, '5.00', '--member', '3.99', ...WHY)).rejects.toThrow(/20% less/)
  expect((await titles('state', slug, 'retired', ...WHY)).said).toContain('Peat (e-book) is retired now.')
  expect((await titles('show', slug)).said).toMatch(
    /£9\.99, £8\.50 for members, retired by a command[\s\S]*because a better one/,
  )
  await expect.poll(() => heard).toBeGreaterThan(1)
  expect((await titles('delete', slug, ...WHY)).said).toContain('Peat (audiobook) is deleted.')
  await expect(titles('show', slug)).rejects.toThrow('There is no title peat.')
})

test('replaces a chapter’s sound for its owners, and validates the file like the import', async () => {
  const book = await anAudioBook(shop, { slug: 'ash', title: 'Ash' })
  await inLibrary(shop, await aUser(shop), book)
  folder
    .put('new.mp3', mp3({ album: 'Ash' }))
    .put('broken.mp3', Buffer.from('no sound'))
    .put('notes.txt', 'x')
  const file = folder.folder('new.mp3')
  const done = await titles('replace-file', 'ash', file, '--chapter', '2', ...WHY)
  expect(done.said).toMatch(/for 1 person who owns it[\s\S]*It is replaced\./)
  const of = and(eq(chapters.bookId, book.id), eq(chapters.number, 2))
  const [chapter] = await shop.db.select().from(chapters).where(of)
  const [media] = await shop.db.select().from(mediaFiles).where(eq(mediaFiles.sha256, chapter!.soundId))
  expect(media).toMatchObject({ durationMs: chapter!.durationMs, extension: 'mp3' })
  expect(existsSync(join(shop.mediaDir, mediaPath(media!)))).toBe(true)
  await expect(titles('replace-file', 'ash', file, ...WHY)).rejects.toThrow(/--chapter 1 to 3/)
  await expect(
    titles('replace-file', 'ash', folder.folder('broken.mp3'), '--chapter', '1', ...WHY),
  ).rejects.toThrow(/is not MP3 sound/)
  await expect(titles('replace-file', 'ash', folder.folder('notes.txt'), ...WHY)).rejects.toThrow(
    /no MP3, M4A or EPUB/,
  )
})

test('OFFICE-71: a place beyond the end of a chapter’s shorter file moves to its end', async () => {
  const book = await anAudioBook(shop, { slug: 'rime', title: 'Rime' })
  const [near, far] = [await aUser(shop), await aUser(shop)]
  const heardAt = new Date('2026-01-05T10:00:00Z')
  const place = { bookId: book.id, chapter: 2, heardAt }
  await shop.db.insert(bookTimes).values([
    { ...place, userId: near.id, seconds: 0.25, fromSeconds: 0, eventId: randomUUID() },
    { ...place, userId: far.id, seconds: 50_000, fromSeconds: 40_000, eventId: randomUUID() },
  ])
  folder.put('short.mp3', mp3({ album: 'Rime' }))
  await titles('replace-file', 'rime', folder.folder('short.mp3'), '--chapter', '2', ...WHY)
  const of = and(eq(chapters.bookId, book.id), eq(chapters.number, 2))
  const seconds = (await shop.db.select().from(chapters).where(of))[0]!.durationMs / 1000
  const placeOf = async (userId: string) =>
    (await shop.db.select().from(bookTimes).where(eq(bookTimes.userId, userId)))[0]
  expect(await placeOf(far.id)).toMatchObject({ chapter: 2, seconds, fromSeconds: seconds })
  expect(await placeOf(near.id)).toMatchObject({ chapter: 2, seconds: 0.25, heardAt })
  expect((await shop.db.select().from(books).where(eq(books.id, book.id)))[0]!.setByOwner).toEqual([
    'chapter 2',
  ])
})

test('titles can be found by words, listed with missing fields, and named by title', async () => {
  await anAudioBook(shop, { slug: 'sea-song', title: 'Sea Song', priceMinor: 0, published: false })
  await anAudioBook(shop, { slug: 'sea-fret', title: 'Sea Fret', priceMinor: 800 })
  const { said } = await titles('find', 'sea')
  expect(said).toMatch(/sea-fret +Sea Fret +audiobook +£8\.00 +on-sale/)
  expect(said).toMatch(/sea-song +Sea Song +audiobook +– +not-on-sale +price, /)
  expect((await titles('find', 'sea', '--missing', 'price')).said).not.toContain('Sea Fret')
  expect(JSON.parse((await titles('list', '--state', 'not-on-sale', '--json')).said)).toContainEqual(
    expect.objectContaining({ slug: 'sea-song', missing: expect.arrayContaining(['price']) }),
  )
  expect((await titles('find', 'sea', '--csv')).said).toContain('sea-fret,audiobook,8.00,,Sea Fret')
  expect((await titles('show', 'Sea Song')).said).toContain('Sea Song (audiobook)')
  await expect(titles('show', 'sea')).rejects.toThrow(
    '2 titles could be meant: sea-fret, sea-song. Name one of them.',
  )
  await expect(titles('show', 'nothing')).rejects.toThrow('npm run titles -- find WORDS')
})

test('many titles can be priced at once, by a filter or a CSV table, after a preview', async () => {
  await anAudioBook(shop, { slug: 'kelp-one', title: 'Kelp One', priceMinor: 0, published: false })
  await anAudioBook(shop, { slug: 'kelp-two', title: 'Kelp Two', priceMinor: 800 })
  const dry = await titles('price', '--filter', 'kelp', '--missing', 'price', '9.99', '--dry-run')
  expect(dry).toMatchObject({ code: 0 })
  expect(dry.said).toContain('Kelp One (audiobook): no price → £9.99')
  expect(dry.said).toContain('Dry run: nothing was changed.')
  expect((await titles('show', 'kelp-one')).said).toContain('it has no price')
  expect((await titles('price', '--filter', 'kelp', '--missing', 'price', '9.99', ...WHY)).said).toContain(
    '1 price is new.',
  )
  expect((await titles('show', 'kelp-one')).said).toMatch(
    /£9\.99, on sale[\s\S]*Set here, whatever is imported: price/,
  )
  const table = folder.put(
    'prices.csv',
    'slug;format;price;member_price\nkelp-one;audiobook;5.00;4.50\nkelp-two;;6.00;\nash;;;\n',
  )
  expect((await titles('price', '--csv', table.folder('prices.csv'), ...WHY)).said).toContain(
    '2 prices are new.',
  )
  expect((await titles('show', 'kelp-one')).said).toContain('£5.00, £4.50 for members')
  folder.put('wrong.csv', 'slug,price\nkelp-one,4.00\nno-such,5.00\nkelp-two,dear\n')
  await expect(titles('price', '--csv', folder.folder('wrong.csv'), ...WHY)).rejects.toThrow(
    /no price changes\.\nLine 3: there is no title no-such\.\nLine 4: A price is written 9\.99/,
  )
  expect((await titles('show', 'kelp-one')).said).toContain('£5.00')
  await expect(titles('follow', 'kelp-one', 'title', ...WHY)).rejects.toThrow('You have not set the title')
  expect((await titles('follow', 'kelp-one', 'price', ...WHY)).said).toContain(
    'where they bring none, it goes off sale',
  )
})

test('a title and a description can be changed, and the book’s page shows the new ones', async () => {
  await anAudioBook(shop, { slug: 'gorse', title: 'Grose' })
  await titles('text', 'gorse', 'title', 'Gorse', ...WHY)
  await titles('text', 'gorse', 'summary', 'All *yellow*.', ...WHY)
  const book = (await shop.app.inject('/api/audio_books/gorse')).json()
  expect(book).toMatchObject({ title: 'Gorse', summary: expect.stringContaining('All *yellow*.') })
})

test('a free copy can be given and taken back; a bought title cannot', async () => {
  const { email } = await aUser(shop)
  const user = await aUser(shop)
  await anAudioBook(shop, { slug: 'thrift', title: 'Thrift' })
  const bought = await anAudioBook(shop, { slug: 'samphire', title: 'Samphire' })
  await inLibrary(shop, user, bought)
  expect((await titles('give', 'Thrift', email, ...WHY)).said).toContain(`It is in the library of ${email}.`)
  await expect(titles('give', 'thrift', email, ...WHY)).rejects.toThrow('It is in their library already.')
  expect((await titles('show', 'thrift')).said).toContain('owned by 1 person')
  expect((await titles('take', 'thrift', email, ...WHY)).said).toContain('It is taken back.')
  expect((await titles('show', 'thrift')).said).toContain('owned by 0 people')
  await expect(titles('take', 'samphire', user.email, ...WHY)).rejects.toThrow('npm run orders -- refund')
})
