import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chapters } from '#server/db/schema/catalogue.ts'
import { mediaFiles } from '#server/db/schema/media.ts'
import { mediaPath } from '#server/outside/media/paths.ts'
import { anAudioBook, anEBook, aUser, inLibrary } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { typed } from '#tests/support/typed.ts'
import { mp3, OwnersFolder } from './fixtures/owners-folder.ts'
import { TITLES } from './titles-command.ts'

const folder = new OwnersFolder()
let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(async () => {
  await shop.close()
  folder.remove()
})

const titles = (...argv: string[]) => typed(shop, TITLES, argv)
const WHY = ['--because', 'a better one', '--yes']

test('a title that came in without a price is sold as soon as it has one', async () => {
  const slug = 'unpriced'
  await anAudioBook(shop, { slug, title: 'Unpriced', priceMinor: 0, published: false })
  expect((await titles('show', slug)).said).toContain('not on sale: it has no price')
  expect((await titles('price', slug, '9.99', ...WHY)).said).toContain(
    'Unpriced (audiobook): £9.99, on sale.',
  )
  expect((await shop.app.inject(`/api/audio_books/${slug}`)).json()).toMatchObject({ published: true })
})

test('a title is shown, priced anew and retired, and the running shop hears of it', async () => {
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
    'From /books/./peat',
    '£6.00',
  ])
    expect(said).toContain(part)
  const priced = await titles('price', slug, '9.99', '--format', 'audiobook', '--member', '7.50', ...WHY)
  expect(priced.said).toContain('costs £9.99 from now on, £12.00 before')
  expect(priced.said).toContain('where it was imported from, too: /books/./peat')
  expect((await shop.app.inject(`/api/audio_books/${slug}`)).json()).toMatchObject({ price: 9.99 })
  await expect(titles('price', slug, '9.9', ...WHY)).rejects.toThrow(/A price is written 9.99/)
  await expect(titles('price', slug, '5.00', '--member', '6.00', ...WHY)).rejects.toThrow(/never pay more/)
  expect((await titles('state', slug, 'retired', ...WHY)).said).toContain('Peat (e-book) is retired now.')
  expect((await titles('show', slug)).said).toMatch(
    /£9\.99, £7\.50 for members, retired by a command[\s\S]*because a better one/,
  )
  await expect.poll(() => heard).toBeGreaterThan(1)
  expect((await titles('delete', slug, ...WHY)).said).toContain('Peat (audiobook) is deleted.')
  await expect(titles('show', slug)).rejects.toThrow('There is no title peat.')
})

test('a chapter’s sound is replaced for who owns it, by a file that the import would take', async () => {
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
