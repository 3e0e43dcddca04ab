import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { asc, eq } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { books } from '#server/db/schema/catalogue.ts'
import { covers, mediaFiles } from '#server/db/schema/media.ts'
import { coverPath, mediaPath } from '#server/integrations/media/paths.ts'
import { epub, mp3, picture, TONE } from './fixtures/owners-folder.ts'
import { titleShop } from '#tests/support/title-shop.ts'

const shop = titleShop()

describe('covers', () => {
  test("come from the owner's file, from a tag or from an EPUB", async () => {
    const inTag = await picture('#aa0000', 60, 60)
    const inEpub = await picture('#00aa00', 40, 60)
    shop.owner
      .put('tag/1.mp3', mp3({ album: 'Tagged', picture: inTag }))
      .put('tag/2.mp3', mp3({ album: 'Tagged', picture: inTag, track: '2' }))
      .put('epub/book.epub', await epub({ title: 'Green', cover: inEpub }))
    await shop.run()
    const sizes = await shop.database.db
      .select({
        slug: books.slug,
        width: covers.width,
        height: covers.height,
        placeholder: covers.placeholder,
      })
      .from(books)
      .innerJoin(covers, eq(covers.id, books.coverId))
      .orderBy(asc(books.slug))
    expect(sizes).toMatchObject([
      { slug: 'green', width: 40, height: 60 },
      { slug: 'tagged', width: 60, height: 60 },
    ])
    expect(sizes[0]!.placeholder).toBe('00aa00'.repeat(16))
  })

  test('that are unreadable are drawn instead, and reported', async () => {
    // The first bytes of a PNG of 20,000 × 20,000 pixels.
    const huge = await picture('#ffffff')
    huge.writeUInt32BE(20_000, 16)
    huge.writeUInt32BE(20_000, 20)
    huge.writeUInt32BE(crc32(huge.subarray(12, 29)), 29)
    shop.owner
      .put('x/1.mp3', mp3({ album: 'X' }))
      .put('x/cover.jpg', 'not a picture')
      .put('y/1.mp3', mp3({ album: 'Y' }))
      .put('y/cover.png', huge)
    const reports = await shop.run()
    expect(reports.y!.warnings).toContain(
      'cover.png has 400 megapixels, and 268 is the most; another cover is used.',
    )
    expect(reports.x).toMatchObject({
      outcome: 'created',
      warnings: expect.arrayContaining(['cover.jpg cannot be read; another cover is used.']),
    })
    expect((await shop.database.db.select().from(covers))[0]).toMatchObject({ width: 900, height: 900 })
  })

  test('keep their drawing when other folders are added', async () => {
    for (const name of ['a', 'b', 'c'])
      shop.owner.put(`${name}/book.json`, { title: `Title ${name}`, audiobook: { price: '1.00' } })
    await shop.run()
    shop.owner.drop('a')
    expect(new Set(Object.values(await shop.outcomes()))).toEqual(new Set(['same']))
  })

  test('are rendered again if their files are lost', async () => {
    shop.owner.put('a/1.mp3', mp3({ album: 'A' }, TONE))
    await shop.run()
    const [cover] = await shop.database.db.select().from(covers)
    shop.loseMedia()
    expect(await shop.outcomes()).toEqual({ a: 'same' })
    expect(existsSync(join(shop.mediaDir, coverPath(cover!.id, '330.avif')))).toBe(true)
    const [file] = await shop.database.db.select().from(mediaFiles)
    expect(existsSync(join(shop.mediaDir, mediaPath(file!)))).toBe(true)
  })
})
