import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as contract from '#contract/home.ts'
import { HOME_SECTIONS } from '#contract/limits.ts'
import type { HomepagePanel, MenuEntry, StaffPick } from '#contract/home.ts'
import type { AudioBookCard } from '#contract/catalogue.ts'
import type { Murmuration } from '#contract/editorial.ts'
import { bookTimes } from '#server/db/schema/listening.ts'
import { contentRecords, homePanels } from '#server/db/schema/pages.ts'
import { importContent } from '#importer/content/run.ts'
import { OwnersFolder } from '#importer/fixtures/owners-folder.ts'
import { anAudioBook, anEBook, aUser, signedIn } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { aPublisher } from '#tests/support/catalogue-builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { anItem } from '#tests/support/editorial-builders.ts'

const DEMO = join(import.meta.dirname, '../../../content/demo')
const read = <T>(name: string): T => JSON.parse(readFileSync(join(DEMO, name), 'utf8')) as T

interface HomeFile {
  panels: { section: string; title: string; weight: number; visible: boolean }[]
  introText: HomepagePanel['introText']
  aboutText: string
  guestPicks: string[]
  publishers: string[]
  staffPicks: (Omit<StaffPick, 'audioBook'> & { audioBook: string })[]
}
const home = read<HomeFile>('home.json')
const menus = read<Record<'main' | 'search', Omit<MenuEntry, '@id' | '@type'>[]>>('menus.json')
const promos = read<{ title: string; text: string; link?: string }[]>('promo.json')

const folder = new OwnersFolder()
let shop: TestShop

// The demo's own files, and a catalogue with nine books of everything.
beforeAll(async () => {
  shop = await testShop()
  const slugs = new Set([...home.guestPicks, ...home.staffPicks.map(({ audioBook }) => audioBook)])
  for (const slug of slugs)
    await anAudioBook(shop, { slug, published: slug !== 'not-yet-bells', chapters: [] })
  for (const slug of home.publishers) await aPublisher(shop, slug, slug.toUpperCase())
  const start = shop.now().getTime()
  for (let n = 1; n <= 9; n += 1) {
    const mark = {
      edition: true,
      memoir: true,
      writersDilemma: true,
      secondEdition: true,
      featuredPosition: n,
    }
    await anAudioBook(shop, {
      slug: `marked-${n}`,
      listedAt: new Date(start - n * 3_600_000),
      chapters: [],
      ...mark,
    })
    const dated = { publishedAt: new Date(start - n * 3_600_000) }
    await anItem(shop, { slug: `featured-${n}`, featured: true, ...dated })
    await anItem(shop, { slug: `special-${n}`, kind: 'interview', special: true, ...dated })
  }
  await anAudioBook(shop, {
    slug: 'unpublished',
    published: false,
    edition: true,
    memoir: true,
    secondEdition: true,
  })
  await anItem(shop, { slug: 'draft', featured: true, special: true, published: false })
  folder.put('.keep', '')
  for (const name of ['home.json', 'menus.json', 'promo.json'])
    copyFileSync(join(DEMO, name), folder.folder(name))
  const reports = await importContent({ ...shop, now: shop.now }, folder.path)
  const refused = reports.flatMap(({ outcome, details }) => (outcome === 'refused' ? details : []))
  if (refused.length > 0) throw new Error(refused.join(' '))
})
afterAll(async () => {
  await shop.close()
  folder.remove()
})

async function list<M>(path: string, headers: Record<string, string> = {}): Promise<M[]> {
  const answer = await shop.app.inject({ url: `/api/${path}`, headers })
  expect(answer.statusCode).toBe(200)
  const body = answer.json<{ 'hydra:member': M[]; 'hydra:totalItems': number }>()
  expect(body['hydra:totalItems']).toBe(body['hydra:member'].length)
  const endpoint = Object.values(contract).find(
    (each) => typeof each === 'object' && 'path' in each && each.path === `/api/${path}`,
  ) as typeof contract.listPromoBlocks
  expect(misfits(endpoint.reply, body)).toEqual([])
  return body['hydra:member']
}
const nine = (prefix: string) => Array.from({ length: 8 }, (_, index) => `${prefix}-${index + 1}`)
const slugsOf = (cards: readonly AudioBookCard[]) => cards.map(({ slug }) => slug)
const itemsOf = (items: readonly Murmuration[]) => items.map((each) => (each.article ?? each.interview)!.slug)

test('API-44 ENT-29: the home page’s first member has a weight, a flag and a title for each section', async () => {
  const [panel, ...more] = await list<HomepagePanel>('homepage_panels')
  expect(more).toEqual([])
  for (const section of HOME_SECTIONS) {
    const { title, weight, visible } = home.panels.find((each) => each.section === section) ?? {
      ...{ title: '', weight: 0, visible: false },
    }
    // The owner's file marks one word as italic; the response has it separately.
    const italic = /\*(.+)\*/.exec(title)?.[1] ?? null
    expect(panel![section]).toEqual({ title: title.replaceAll('*', ''), italic, weight, visible })
  }
  expect(panel!.curatedIntroPicks).toMatchObject({ title: 'Good books, said softly.', italic: 'said' })
  expect(panel).toMatchObject({ introText: home.introText, aboutText: home.aboutText })
})

test('API-44 ENT-29: sections have at most eight members, newest first, and nothing unpublished', async () => {
  const [panel] = await list<HomepagePanel>('homepage_panels')
  const { astonishingMemoirsAudioBooks, writersDilemmaAudioBooks, featuredAudioBooks, ...rest } = panel!
  for (const cards of [
    astonishingMemoirsAudioBooks,
    writersDilemmaAudioBooks,
    featuredAudioBooks,
    rest.editionAudioBooks,
    rest.highlightAudioBooks,
  ])
    expect(slugsOf(cards)).toEqual(nine('marked'))
  expect(itemsOf(rest.featuredMurmurations)).toEqual(nine('featured'))
  expect(itemsOf(rest.specialFeaturedMurmurations)).toEqual(nine('special'))
})

test('API-42: the murmuration block returns the featured and the special items', async () => {
  const [block] =
    await list<Pick<HomepagePanel, 'featuredMurmurations' | 'specialFeaturedMurmurations'>>(
      'murmuration_blocks',
    )
  expect(itemsOf(block!.featuredMurmurations)).toEqual(nine('featured'))
  expect(itemsOf(block!.specialFeaturedMurmurations)).toEqual(nine('special'))
})

test('API-45 ENT-30: staff picks have their text and their book; hidden picks are left out', async () => {
  const picks = await list<StaffPick>('staff_pick_blocks')
  const visible = home.staffPicks.filter((pick) => pick.visible)
  expect(visible.length).toBeLessThan(home.staffPicks.length)
  expect(
    picks.map(({ title, description, author, audioBook }) => ({
      title,
      description,
      author,
      audioBook: audioBook?.slug,
    })),
  ).toEqual(
    visible.map(({ title, description, author, audioBook }) => ({ title, description, author, audioBook })),
  )
  expect(picks.every((pick) => pick.visible)).toBe(true)
})

test('a pick whose book was deleted keeps its text', async () => {
  const [first] = home.staffPicks
  await shop.db.execute(`update staff_picks set book_id = null where position = 1`)
  shop.answers.clear()
  const [pick] = await list<StaffPick>('staff_pick_blocks')
  expect(pick).toMatchObject({ title: first!.title, audioBook: null })
})

test('API-46: menu entries and search shortcuts have title, address, style and group, in order', async () => {
  for (const [path, menu] of [
    ['menu_entries', menus.main],
    ['search_menu_entries', menus.search],
  ] as const) {
    const entries = await list<MenuEntry>(path)
    expect(entries.map(({ title, url, style, group }) => ({ title, url, style, group }))).toEqual(
      menu.map(({ title, url, style, group }) => ({ title, url, style: style ?? null, group })),
    )
  }
  expect(new Set(menus.main.map(({ group }) => group))).toEqual(
    new Set(['Products', 'Murmurations', 'Links']),
  )
})

test('API-43: returns the owner’s promotion blocks, or an empty list', async () => {
  const blocks = await list<{ title: string; text: string; link: string | null }>('promo_blocks')
  expect(blocks.map(({ title, text, link }) => ({ title, text, link }))).toEqual(
    promos.map(({ title, text, link = null }) => ({ title, text, link })),
  )
  const empty = await testShop()
  const answer = await empty.app.inject({ url: '/api/promo_blocks' })
  expect(answer.json()).toMatchObject({ 'hydra:member': [], 'hydra:totalItems': 0 })
  expect((await empty.app.inject({ url: '/api/homepage_panels' })).statusCode).toBe(200)
  await empty.close()
})

test('API-41: basic panels are the visible panels without books, by weight', async () => {
  const panels = await list<{ section: string; weight: number }>('home_panels_basic')
  const plain = ['curatedIntroPicks', 'localShop', 'howItWorks', 'playerApp']
  expect(panels.map(({ section }) => section)).toEqual(
    home.panels
      .filter(({ section, visible }) => visible && plain.includes(section))
      .toSorted((one, two) => one.weight - two.weight)
      .map(({ section }) => section),
  )
  await shop.db.update(homePanels).set({ visible: false })
  shop.answers.clear()
  expect(await list('home_panels_basic')).toEqual([])
})

test('API-41: featured books, guest picks and publishers are in the owner’s order and need no token', async () => {
  await shop.db.update(homePanels).set({ visible: true })
  shop.answers.clear()
  expect(slugsOf(await list<AudioBookCard>('home_panels_guest_pick'))).toEqual(home.guestPicks)
  expect((await list<{ slug: string }>('home_panels_publisher')).map(({ slug }) => slug)).toEqual(
    home.publishers,
  )
  const featured = await shop.app.inject({ url: '/api/home_panels_featured_audio_books' })
  expect(slugsOf(featured.json()['hydra:member']).slice(0, 8)).toEqual(nine('marked'))
})

test('API-41: leaves out guest picks and publishers of hidden panels, and unpublished books', async () => {
  await shop.db.execute(`update books set published = false where slug = '${home.guestPicks[0]}'`)
  shop.answers.clear()
  expect(slugsOf(await list<AudioBookCard>('home_panels_guest_pick'))).toEqual(home.guestPicks.slice(1))
  for (const [section, path] of [
    ['guestPicks', 'home_panels_guest_pick'],
    ['publishers', 'home_panels_publisher'],
  ] as const) {
    const hidden = { section, title: section, weight: 1, visible: false }
    await shop.db
      .insert(homePanels)
      .values(hidden)
      .onConflictDoUpdate({ target: homePanels.section, set: hidden })
    shop.answers.clear()
    expect(await list(path)).toEqual([])
  }
})

test('a member sees the same page with their own marks, and it is not cached', async () => {
  const user = await signedIn(shop, await aUser(shop))
  const answer = await shop.app.inject({ url: '/api/homepage_panels', headers: user })
  expect(answer.headers['cache-control']).toBe('private, no-store')
  const visitor = await shop.app.inject({ url: '/api/homepage_panels' })
  expect(visitor.headers['cache-control']).toBe('public, max-age=0, must-revalidate')
  expect(answer.json()['hydra:member'][0].introText).toEqual(visitor.json()['hydra:member'][0].introText)
})

test('a shop without its own panels shows new titles, the most heard and all titles', async () => {
  const own = await testShop()
  const at = own.now().getTime()
  expect(await panelsOf(own)).toEqual([])
  for (let n = 1; n <= 9; n += 1)
    await anAudioBook(own, {
      slug: `book-${n}`,
      title: `Book ${n}`,
      listedAt: new Date(at + n * 1000),
      chapters: [],
    })
  const text = await anEBook(own, { slug: 'text', title: 'A text', listedAt: new Date(at) })
  expect(text.slug).toBe('text')
  const { rows } = await own.db.execute<{ id: number }>(sql`select id from books where slug = 'book-2'`)
  for (let n = 1; n <= 3; n += 1) {
    const { id: userId } = await aUser(own)
    await own.db
      .insert(bookTimes)
      .values({ userId, bookId: rows[0]!.id, chapter: 1, seconds: 1, heardAt: own.now() })
  }
  own.answers.clear()
  const answer = await own.app.inject({ url: '/api/homepage_panels' })
  const [page] = answer.json<{ 'hydra:member': HomepagePanel[] }>()['hydra:member']
  expect(misfits(contract.getHomepagePanels.reply, answer.json())).toEqual([])
  expect(page!.newestTitles.map(({ slug }) => slug)).toEqual([9, 8, 7, 6, 5, 4, 3, 2].map((n) => `book-${n}`))
  expect(page!.titlesByName[0]!.slug).toBe('text')
  expect(page!.mostHeardTitles.map(({ slug }) => slug)).toEqual(['book-2'])
  expect(await panelsOf(own)).toEqual(expect.arrayContaining(['newTitles', 'mostHeard', 'allTitles']))
  expect(await panelsOf(own)).not.toEqual(expect.arrayContaining(['astonishingMemoirs']))
  await own.close()
})

async function panelsOf(own: TestShop): Promise<string[]> {
  const answer = await own.app.inject({ url: '/api/homepage_panels' })
  const [page] = answer.json<{ 'hydra:member': HomepagePanel[] }>()['hydra:member']
  return HOME_SECTIONS.filter((section) => page![section].visible)
}

test('an empty record gives an empty page', async () => {
  await shop.db.delete(contentRecords)
  shop.answers.clear()
  const [panel] = await list<HomepagePanel>('homepage_panels')
  expect(panel).toMatchObject({ aboutText: '', appStoreLink: null, introText: { visitor: '' } })
})
