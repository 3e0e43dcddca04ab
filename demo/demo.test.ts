import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from 'drizzle-orm'
import { verify } from '@node-rs/argon2'
import { users } from '#server/db/schema/accounts.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { loadDemo } from './demo.ts'
import { demoIsLoaded } from './demo-folders.ts'
import { mp3, OwnersFolder, picture } from '#importer/fixtures/owners-folder.ts'

const NOW = new Date('2026-03-02T08:00:00Z')
const content = new OwnersFolder()
let shop: TestShop

beforeAll(async () => {
  shop = await testShop()
  shop.clock.set(NOW)
  const cover = await picture('#446688')
  const title = (slug: string, firstPublished: string, price: string) =>
    content
      .put(`titles/${slug}/book.json`, {
        slug,
        title: slug,
        firstPublished,
        style: 'Lyrical',
        audiobook: { price },
      })
      .put(`titles/${slug}/1.mp3`, mp3({}))
      .put(`titles/${slug}/2.mp3`, mp3({ title: 'Two' }))
      .put(`titles/${slug}/cover.png`, cover)
  title('a-newer-one', '2024-01-01', '12.00')
  title('an-older-one', '2001-01-01', '0.00')
  content
    .put('styles.json', [{ title: 'Lyrical' }, { title: 'Unsettling' }])
    .put('locations.json', [{ title: 'Cities' }])
    .put('nationalities.json', [{ title: 'Irish' }])
    .put('categories.json', [{ name: 'Novels', visible: false, weight: 3 }])
    .put('publishers.json', [{ slug: 'unwritten-press', name: 'Unwritten Press', about: 'Nothing yet.' }])
    .put('pages/about.md', '---\ntitle: About\n---\n\nUs.\n')
    .put('accounts.json', {
      password: 'murmur-demo',
      accounts: [
        {
          email: 'reader+{nn}@murmur.example',
          series: { from: 1, to: 3 },
          firstName: 'Rosa',
          lastName: 'Lind {nn}',
          countryCode: 'GB',
          confirmed: true,
          membership: {
            plan: 4,
            status: 'active',
            startedDaysAgo: 40,
            periodStartedDaysAgo: 10,
            periodDays: 30,
            creditsLeft: 1,
            payment: 'card',
          },
          library: [
            { kind: 'audio_books', slug: 'a-newer-one', addedDaysAgo: 2 },
            { kind: 'audio_books', slug: 'an-older-one', addedDaysAgo: 40 },
          ],
          listening: [
            { slug: 'a-newer-one', chapter: 2, seconds: 1, heardDaysAgo: 1 },
            { slug: 'a-newer-one', chapter: 1, seconds: 1.4, heardDaysAgo: 3 },
          ],
          bookmarks: [
            { slug: 'a-newer-one', chapter: 2, seconds: 1, note: 'Here', madeDaysAgo: 1 },
            { slug: 'a-newer-one', chapter: 1, seconds: 0.5, madeDaysAgo: 2 },
          ],
        },
        {
          email: 'corner@murmur.example',
          firstName: 'M',
          lastName: 'C',
          confirmed: false,
          outlet: { name: 'Corner House' },
        },
      ],
    })
})
afterAll(async () => {
  await shop.close()
  content.remove()
})

const warnings: string[] = []
const load = () =>
  loadDemo(shop, {
    log: { info: () => undefined, warn: (text) => void warnings.push(text) },
    content: content.path,
  })
const rows = async (query: string) => (await shop.db.execute(sql.raw(query))).rows

describe('the demo shop', () => {
  test('is loaded into an empty database, with titles, accounts, libraries and places', async () => {
    expect(await demoIsLoaded(shop.db, content.path)).toBe(false)
    await load()
    expect(warnings).toEqual([])
    expect(await demoIsLoaded(shop.db, content.path)).toBe(true)

    expect(await rows('select slug from books order by listed_at desc, id desc')).toEqual([
      { slug: 'a-newer-one' },
      { slug: 'an-older-one' },
    ])
    expect(await rows('select title from styles order by id')).toEqual([
      { title: 'Lyrical' },
      { title: 'Unsettling' },
    ])
    expect(await rows('select name, visible, weight from categories')).toEqual([
      { name: 'Novels', visible: false, weight: 3 },
    ])
    expect(
      await rows('select u.email, o.name from users u left join outlets o on o.id = u.outlet_id order by 1'),
    ).toEqual([
      { email: 'corner@murmur.example', name: 'Corner House' },
      { email: 'reader+01@murmur.example', name: null },
      { email: 'reader+02@murmur.example', name: null },
      { email: 'reader+03@murmur.example', name: null },
    ])
    expect(
      await rows(
        'select distinct b.slug, e.source from library_entries e join books b on b.id = e.book_id order by 1',
      ),
    ).toEqual([
      { slug: 'a-newer-one', source: 'owner' },
      { slug: 'an-older-one', source: 'free' },
    ])
    expect(await rows('select distinct chapter, seconds from user_audio_book_times')).toEqual([
      { chapter: 2, seconds: 1 },
    ])
    expect(await rows('select count(*)::int as places from user_chapter_times')).toEqual([{ places: 6 }])
    expect(await rows('select distinct chapter, note from user_bookmarks order by 1')).toEqual([
      { chapter: 1, note: '' },
      { chapter: 2, note: 'Here' },
    ])
    expect(await rows('select distinct plan, status from subscriptions')).toEqual([
      { plan: 4, status: 'active' },
    ])
    expect(await rows('select count(*)::int as credits from credits')).toEqual([{ credits: 3 }])
    expect(await rows('select title from info_pages')).toEqual([{ title: 'About' }])
  })

  test('has the same password for all accounts', async () => {
    const all = await shop.db.select().from(users)
    expect(all).toHaveLength(4)
    expect(await verify(all[0]!.passwordHash!, 'murmur-demo')).toBe(true)
    expect(new Set(all.map(({ passwordHash }) => passwordHash)).size).toBe(1)
    expect(all.filter(({ confirmedAt }) => confirmedAt === null).map(({ email }) => email)).toEqual([
      'corner@murmur.example',
    ])
  })

  test('resumes an interrupted load, and does not touch an owner’s own books', async () => {
    await shop.db.execute(sql`delete from library_entries`)
    await shop.db.execute(sql`truncate users cascade`)
    await shop.db.execute(sql`delete from books where slug = 'an-older-one'`)
    expect(await demoIsLoaded(shop.db, content.path)).toBe(false)
    await load()
    expect(await rows('select count(*)::int as books from books')).toEqual([{ books: 2 }])
    await shop.db.execute(sql`truncate users cascade`)
    await shop.db.execute(sql`update books set slug = 'an-owners-own' where slug = 'an-older-one'`)
    expect(await demoIsLoaded(shop.db, content.path)).toBe(true)
  })
})
