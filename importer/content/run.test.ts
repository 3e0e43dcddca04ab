import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { books } from '#server/db/schema/catalogue.ts'
import { editorialItems } from '#server/db/schema/editorial.ts'
import { covers, mediaFiles } from '#server/db/schema/media.ts'
import { COVER_RENDITIONS, coverPath, mediaPath } from '#server/integrations/media/paths.ts'
import { contentShop, fillFolder, matter, NOW } from '#tests/support/content-shop.ts'
import { TONE_MS } from '../fixtures/owners-folder.ts'
import { isContentFolder } from './run.ts'

const DAY = 24 * 3_600_000
const shop = contentShop()

describe('a content folder', () => {
  test('is distinguished from a folder of titles', async () => {
    expect(isContentFolder(shop.owner.path)).toBe(false)
    shop.owner.put('peat/book.json', {})
    expect(isContentFolder(shop.owner.path)).toBe(false)
    shop.owner.put('pages/about.md', '')
    expect(isContentFolder(shop.owner.path)).toBe(true)
  })

  test('trap 34: is imported with one report line per file, and a second run changes nothing', async () => {
    await fillFolder(shop.owner)
    const first = await shop.outcomes()
    expect(Object.keys(first)).toEqual([
      'authors/mina-tallis.md',
      'pages/about.md',
      'faq/01-buying.md',
      'editorial/articles/a-voice.md',
      'editorial/interviews/rooms.md',
      'editorial/discussions/evening.md',
      'menus.json',
      'home.json',
      'promo.json',
      'settings.json',
    ])
    expect(new Set(Object.values(first))).toEqual(new Set(['created']))
    const before = await shop.everything()
    // A day later: relative dates still count from the first run.
    const again = await shop.outcomes({ now: new Date(NOW.getTime() + DAY) })
    expect(new Set(Object.values(again))).toEqual(new Set(['same']))
    expect(await shop.everything()).toEqual(before)
  })

  test('is not written in a dry run, which reports the same as the run after it', async () => {
    await shop.forgetPictures()
    await fillFolder(shop.owner)
    const before = await shop.everything()
    const dry = await shop.run({ dryRun: true })
    expect(await shop.everything()).toEqual(before)
    expect(existsSync(shop.mediaDir)).toBe(false)
    expect(dry).toEqual(await shop.run())
  })

  test('creates an item with its author, words, books and dates', async () => {
    await fillFolder(shop.owner)
    await shop.run()
    const [item] = await shop.rows(`
      select e.title, e.summary, e.featured, e.member_only, e.alt_text, a.first_name, a.biography, c.name as category,
        t.title as type, e.published_at, array(
          select b.slug || ' ' || b.format from book_editorial be join books b on b.id = be.book_id
          where be.item_id = e.id order by be.position, b.id) as books
      from editorial_items e left join editorial_authors a on a.id = e.author_id
      left join editorial_categories c on c.id = e.category_id left join murmuration_types t on t.id = e.type_id
      where e.slug = 'a-voice'`)
    expect(item).toMatchObject({
      title: 'A voice',
      summary: 'How.',
      featured: true,
      member_only: false,
      alt_text: 'A flock',
      first_name: 'Mina',
      biography: 'She asks & listens.',
      category: 'Recording',
      type: 'Essays',
      books: ['marram audio_book', 'peat audio_book', 'peat e_book'],
    })
    const all = await shop.database.db.select().from(editorialItems)
    const named = (slug: string) => all.find((each) => each.slug === slug)!
    expect(NOW.getTime() - named('a-voice').publishedAt.getTime()).toBe(6 * DAY)
    expect(named('evening').startsAt!.toISOString()).toBe('2026-03-14T00:00:00.000Z')
  })

  test('stores sound with its measured length, and pictures in every size', async () => {
    await shop.forgetPictures()
    await fillFolder(shop.owner)
    await shop.run()
    const [sound] = await shop.database.db.select().from(mediaFiles)
    expect(Math.abs(sound!.durationMs! - TONE_MS)).toBeLessThan(50)
    expect(existsSync(join(shop.mediaDir, mediaPath(sound!)))).toBe(true)
    const all = await shop.database.db.select().from(covers)
    // A portrait, the item's drawing, the drawing in its text, and the owner's picture.
    expect(all.map(({ width, height }) => `${width}x${height}`).sort()).toEqual([
      '900x450',
      '900x600',
      '900x600',
      '900x900',
    ])
    for (const { id } of all)
      for (const rendition of COVER_RENDITIONS)
        expect(existsSync(join(shop.mediaDir, coverPath(id, rendition)))).toBe(true)
  })

  test('shows a picture in the text as a figure with size and caption, from the shop’s own store', async () => {
    await fillFolder(shop.owner)
    await shop.run()
    const [item] = await shop.rows("select main from editorial_items where slug = 'a-voice'")
    expect(item!.main).toMatch(
      /<figure><img src="\/media\/covers\/[0-9a-f]{2}\/[0-9a-f]{32}-900\.webp" srcset="[^"]+ 330w, [^"]+ 900w" [^>]*alt="Lamps" width="900" height="600" loading="lazy"[^>]*><figcaption>Sixty-two lamps<\/figcaption><\/figure>/,
    )
  })

  test("names what changed, and keeps a date while the file's dates stay the same", async () => {
    await fillFolder(shop.owner)
    await shop.run()
    const [before] = await shop.rows("select published_at from editorial_items where slug = 'a-voice'")
    shop.owner
      .put(
        'editorial/articles/a-voice.md',
        matter({ title: 'Another voice', publishedDaysAgo: 6, image: 'none', books: ['peat'] }, '## First'),
      )
      .put('pages/about.md', matter({ title: 'About' }, 'All of us.'))
      .put('menus.json', { main: [] })
    const reports = await shop.run({ now: new Date(NOW.getTime() + 30 * DAY) })
    expect(reports['editorial/articles/a-voice.md']).toMatchObject({
      outcome: 'changed',
      details: expect.arrayContaining(['title', 'summary', 'text', 'picture', 'books', 'author', 'type']),
    })
    expect(reports['pages/about.md']!.details).toEqual(['text'])
    expect(reports['menus.json']!.details).toEqual(['main menu'])
    expect(await shop.rows("select published_at from editorial_items where slug = 'a-voice'")).toEqual([
      before,
    ])
  })

  test('restores changed rows, and a link to a book that was removed and imported again', async () => {
    await fillFolder(shop.owner)
    await shop.run()
    await shop.database.db.execute(sql`update editorial_items set member_only = true where slug = 'a-voice'`)
    await shop.database.db.execute(sql`delete from books where slug = 'marram'`)
    await shop.database.db
      .insert(books)
      .values({ format: 'audio_book', slug: 'marram', title: 'M', priceMinor: 1 })
    const reports = await shop.run()
    expect(reports['editorial/articles/a-voice.md']!.details).toEqual(['access', 'books'])
    expect(new Set(Object.values(await shop.outcomes()))).toEqual(new Set(['same']))
  })

  test('notifies every instance at the end, but not after a dry run', async () => {
    shop.owner.put('settings.json', { requiredPurchaserEmail: true })
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
