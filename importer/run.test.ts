import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { books } from '#server/db/schema/catalogue.ts'
import { covers, mediaFiles } from '#server/db/schema/media.ts'
import { people } from '#server/db/schema/people.ts'
import { COVER_RENDITIONS, coverPath, mediaPath } from '#server/integrations/media/paths.ts'
import { mp3, TONE_MS, VBR, VBR_MS } from './fixtures/owners-folder.ts'
import { fillShelf, NOW, titleShop } from '#tests/support/title-shop.ts'

const shop = titleShop({ keepsPictures: true })

describe('an import', () => {
  test('trap 33: imports twelve files of two CDs in order, with their measured lengths', async () => {
    await fillShelf(shop.owner)
    await shop.run()
    expect((await shop.chaptersOf('twelve')).map(({ title }) => title)).toEqual(
      Array.from({ length: 12 }, (_, index) => `Part ${index + 1}`),
    )
    const salt = await shop.chaptersOf('the-salt-ledger')
    expect(salt.map(({ number, title }) => [number, title])).toEqual([
      [1, 'The weighing room'],
      [2, 'A second set of books'],
    ])
    expect(Math.abs(salt[0]!.durationMs - TONE_MS)).toBeLessThan(50)
    expect(Math.abs(salt[1]!.durationMs - VBR_MS)).toBeLessThan(50)
  })

  test('trap 34: creates titles, reports the reasons for refusals, and a second run changes nothing', async () => {
    await fillShelf(shop.owner)
    const reports = await shop.run()
    expect(Object.values(reports).map(({ folder, outcome }) => [folder, outcome])).toEqual([
      ['box', 'created'],
      ['broken', 'refused'],
      ['salt', 'created'],
    ])
    expect(reports.broken!.details).toEqual(['2.mp3 is not MP3 sound.'])
    expect(await shop.bookOf('half')).toBeUndefined()
    const before = await shop.everything()
    expect(await shop.outcomes()).toEqual({ box: 'same', broken: 'refused', salt: 'same' })
    expect(await shop.everything()).toEqual(before)
  })

  test('writes nothing in a dry run, and reports the same as the run after it', async () => {
    await shop.forgetPictures()
    await fillShelf(shop.owner)
    const before = await shop.everything()
    const dry = await shop.run({ dryRun: true })
    expect(await shop.everything()).toEqual(before)
    expect(existsSync(shop.mediaDir)).toBe(false)
    expect(dry).toEqual(await shop.run())
  })

  test('stores files by their content, and covers in every size', async () => {
    await shop.forgetPictures()
    await fillShelf(shop.owner, { drawn: true })
    await shop.run()
    for (const file of await shop.database.db.select().from(mediaFiles))
      expect(statSync(join(shop.mediaDir, mediaPath(file))).size).toBe(file.bytes)
    const all = await shop.database.db.select().from(covers)
    expect(all.map(({ width, height }) => `${width}x${height}`).sort()).toEqual([
      '40x40',
      '900x1350',
      '900x900',
    ])
    for (const { id, placeholder } of all) {
      expect(placeholder).toMatch(/^[0-9a-f]{96}$/)
      for (const rendition of COVER_RENDITIONS)
        expect(statSync(join(shop.mediaDir, coverPath(id, rendition))).size).toBeGreaterThan(60)
    }
    expect(
      readdirSync(shop.mediaDir, { recursive: true }).filter((name) => String(name).endsWith('.part')),
    ).toEqual([])
  })

  test('fills in everything a title has, and links its two formats', async () => {
    await fillShelf(shop.owner)
    await shop.run()
    const [audio, ebook] = [
      await shop.bookOf('the-salt-ledger'),
      await shop.bookOf('the-salt-ledger', 'e_book'),
    ]
    expect(audio).toMatchObject({
      priceMinor: 1200,
      published: true,
      counterpartId: ebook!.id,
      listedAt: NOW,
    })
    expect(ebook).toMatchObject({ priceMinor: 800, pages: 312, counterpartId: audio!.id })
    expect(audio!.sampleId).not.toBeNull()
    expect(ebook!.fileId).not.toBeNull()
    expect(audio!.importHash).toMatch(/^[0-9a-f]{64}$/)
    const names = await shop.database.db.select({ name: people.nameKey }).from(people)
    expect(names.map(({ name }) => name).sort()).toEqual(['della voss', 'imogen tarrant', 'maren lindt'])
  })

  test('writes changes and names them', async () => {
    await fillShelf(shop.owner)
    await shop.run()
    shop.owner.put('salt/2 Two.mp3', mp3({ title: 'A third set' }, VBR))
    const { salt } = await shop.run()
    expect(salt).toMatchObject({ outcome: 'changed', details: ['audiobook chapters'] })
    expect((await shop.chaptersOf('the-salt-ledger'))[1]!.title).toBe('A third set')
    expect(await shop.outcomes()).toMatchObject({ salt: 'same' })
  })

  test('restores values that were changed in the database', async () => {
    await fillShelf(shop.owner)
    await shop.run()
    await shop.database.db.update(books).set({ priceMinor: 1 }).where(eq(books.slug, 'the-salt-ledger'))
    expect((await shop.run()).salt).toMatchObject({
      outcome: 'changed',
      details: ['audiobook price', 'e-book price'],
    })
    expect((await shop.bookOf('the-salt-ledger'))!.priceMinor).toBe(1200)
  })

  test('keeps titles that are no longer in the folder, and reports a missing format', async () => {
    await fillShelf(shop.owner)
    await shop.run()
    shop.owner
      .drop('box')
      .drop('salt/book.epub')
      .put('salt/book.json', { title: 'The Salt Ledger', audiobook: { price: '12.00' } })
    const { salt } = await shop.run()
    expect(salt!.warnings).toContain('The e-book is no longer in the folder; the shop keeps it as it is.')
    expect((await shop.bookOf('twelve'))!.title).toBe('Twelve')
    expect((await shop.bookOf('the-salt-ledger', 'e_book'))!.fileId).not.toBeNull()
  })

  test('notifies every instance at the end', async () => {
    await fillShelf(shop.owner)
    let heard = 0
    const stop = await shop.database.listen('catalogue_changed', () => void heard++)
    await shop.run({ dryRun: true })
    await shop.database.db.execute(sql`select 1`)
    expect(heard).toBe(0)
    await shop.run()
    await expect.poll(() => heard).toBe(1)
    await stop()
  })
})
