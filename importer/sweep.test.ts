import { createHash } from 'node:crypto'
import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY_MS } from '#contract/durations.ts'
import { editorialItems } from '#server/db/schema/editorial.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { covers, mediaFiles } from '#server/db/schema/media.ts'
import { coverPath, mediaPath } from '#server/integrations/media/paths.ts'
import { anAudioBook, anEBook, aUser, inLibrary } from '#tests/support/builders.ts'
import { aCover, aSoundingBook, aStoredFile } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { removeUnnamed, unnamedMedia } from './sweep.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const idOf = (name: string) => createHash('sha256').update(name).digest('hex')
const at = (path: string) => join(shop.mediaDir, path)
const age = (path: string, days: number) => {
  const changedAt = new Date(Date.now() - days * DAY_MS)
  utimesSync(at(path), changedAt, changedAt)
}
const sound = (name: string) => mediaPath({ sha256: idOf(name), extension: 'mp3' })
const pictureOf = (name: string) => idOf(name).slice(0, 32)

async function stored(path: string, days = 2): Promise<string> {
  await shop.media.put(path, Buffer.from(path))
  age(path, days)
  return path
}

test('keeps media used by a title, sample, personal copy, picture or text; removes unused media after a day', async () => {
  const { db } = shop
  const chapters = ['one', 'two'].map((title) => ({ title, bytes: Buffer.from(title) }))
  const book = await aSoundingBook(shop, chapters, {
    sampleId: await aStoredFile(shop, Buffer.from('sample'), 'mp3'),
    coverId: await aCover(shop, pictureOf('cover')),
  })
  const copy = await aStoredFile(shop, Buffer.from('a copy for Nell'), 'epub')
  const text = await anEBook(shop, { fileId: await aStoredFile(shop, Buffer.from('text'), 'epub') })
  await inLibrary(shop, await aUser(shop), text)
  await db.update(libraryEntries).set({ fileId: copy }).where(eq(libraryEntries.bookId, text.id))
  await aCover(shop, pictureOf('in a text'))
  await db.insert(editorialItems).values({
    kind: 'article',
    slug: 'peat',
    title: 'Peat',
    main: `<img src="/media/${coverPath(pictureOf('in a text'), '900.webp')}" alt="">`,
  })
  const named = (await Array.fromAsync(shop.media.list())).map(({ path }) => path)
  for (const path of named) age(path, 2)
  for (const name of ['cover', 'in a text']) named.push(await stored(coverPath(pictureOf(name), '900.webp')))

  const replaced = await aStoredFile(shop, Buffer.from('crackling'), 'mp3')
  const unnamed = [mediaPath({ sha256: replaced, extension: 'mp3' })]
  age(unnamed[0]!, 2)
  unnamed.push(await stored(sound('an import that broke off')))
  await aCover(shop, pictureOf('an old cover'))
  unnamed.push(await stored(coverPath(pictureOf('an old cover'), '330.avif')))
  const young = await stored(sound('an import under way'), 0.9)
  const strange = await stored('notes/of-the-owner.txt')

  const found = await unnamedMedia(db, shop.media, new Date())
  expect(found.old.map(({ path }) => path).toSorted()).toEqual(unnamed.toSorted())
  expect(found.young.map(({ path }) => path)).toEqual([young])

  expect(await removeUnnamed(db, shop.media, found.old)).toBe(3)
  for (const path of unnamed) expect(existsSync(at(path)), path).toBe(false)
  for (const path of [...named, young, strange]) expect(existsSync(at(path)), path).toBe(true)
  expect(await db.select().from(mediaFiles).where(eq(mediaFiles.sha256, replaced))).toEqual([])
  expect(
    await db
      .select()
      .from(covers)
      .where(eq(covers.id, pictureOf('an old cover'))),
  ).toEqual([])
  expect(await db.select().from(mediaFiles).where(eq(mediaFiles.sha256, copy))).toHaveLength(1)
  expect((await unnamedMedia(db, shop.media, new Date())).old).toEqual([])
  expect(book.id).toBeGreaterThan(0)
})

test('keeps a file that an import starts to use between the search and the removal', async () => {
  const path = await stored(sound('named in between'))
  const { old } = await unnamedMedia(shop.db, shop.media, new Date())
  expect(old.map((file) => file.path)).toContain(path)
  const { id } = await anAudioBook(shop, { chapters: [] })
  await shop.db.insert(mediaFiles).values({ sha256: idOf('named in between'), extension: 'mp3', bytes: 1 })
  await shop.db.execute(sql`update books set sample_id = ${idOf('named in between')} where id = ${id}`)
  expect(await removeUnnamed(shop.db, shop.media, old)).toBe(0)
  expect(existsSync(at(path))).toBe(true)
})
