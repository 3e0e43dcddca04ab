import { afterAll, beforeAll, expect, test } from 'vitest'
import { homePanels, infoPages, menuEntries } from '#server/db/schema/pages.ts'
import { inProcess } from '#server/pages/renderer.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { demoFile } from '#tests/support/demo-content.ts'
import { anItem, aRecording } from '#tests/support/editorial-builders.ts'
import { render } from '../../src/entry-server.tsx'
import { screensOf } from './screen-at.ts'
import { buildWorld, type World } from './world.ts'

/** The home page, the journal and the pages, as the server renders them for a visitor. */
const VISITOR = { country: 'GB', address: '192.0.2.1' }
let world: World
let screenAt: ReturnType<typeof screensOf>
const menu = demoFile('menus.json').main

beforeAll(async () => {
  world = await buildWorld()
  screenAt = screensOf(world.shop)
  const { shop } = world
  await shop.db
    .insert(infoPages)
    .values({ slug: 'support', title: 'Support', content: '<p>Write to us.</p>' })
  await shop.db
    .insert(menuEntries)
    .values(
      menu.map(({ group, title, url }, position) => ({ menu: 'main' as const, group, title, url, position })),
    )
  shop.answers.clear()
})
afterAll(() => world.shop.close())

test('HOME-09 HOME-11 HOME-12: memoirs, editions and the Dilemma have a carousel each, and the screen behind it', async () => {
  const { shop } = world
  const panels = [
    ['currentHighlights', 'Current highlights', '/subscriber-selection'],
    ['astonishingMemoirs', 'Astonishing Memoirs', '/astonishing-memoirs'],
    ['editions', 'Editions', '/editions'],
    ['writersDilemma', 'Writer’s Dilemma', '/writers-dilemma'],
  ] as const
  await shop.db
    .insert(homePanels)
    .values(panels.map(([section, title], weight) => ({ section, title, weight, visible: true })))
  const marks = { edition: true, memoir: true, writersDilemma: true, secondEdition: true }
  await anAudioBook(shop, { slug: 'marked', title: 'Marked', chapters: [], ...marks })
  shop.answers.clear()
  const home = await screenAt('/')
  for (const [, title, address] of panels) {
    const { slides, all } = home.carousel(title)
    expect(slides, title).toContain('marked')
    expect(all?.split('?')[0], title).toBe(address)
    const screen = await screenAt(all!)
    expect(screen.heading?.toLowerCase(), title).toContain(title.toLowerCase())
    expect(screen.text, title).toContain('Marked')
  }
})

test('EDIT-04 ROLE-01: everyone can read a free item in full at its address', async () => {
  const main = `<p>${'Read by anybody. '.repeat(20)}</p>`
  for (const [kind, path] of [
    ['article', 'articles'],
    ['interview', 'interviews'],
    ['discussion', 'discussions'],
  ] as const) {
    await anItem(world.shop, { kind, slug: 'free', title: `A free ${kind}`, main })
    const { status, heading, text, title } = await screenAt(`/${path}/free`)
    expect([status, heading, title]).toEqual([200, `A free ${kind}`, `A free ${kind} | Murmur`])
    expect(text).toContain('Read by anybody. '.repeat(20).trim())
    expect(text).not.toContain('for members')
  }
})

test('EDIT-05 EDIT-09 ROLE-04: what is withheld from a visitor is not in the page’s source either', async () => {
  const { shop } = world
  const audioId = await aRecording(shop, 'members')
  const media = { videoLink: 'https://vimeo.com/1', link: 'https://tickets.example/', linkTitle: 'Door' }
  for (const [kind, path, what] of [
    ['article', 'articles', 'recording'],
    ['interview', 'interviews', 'film'],
    ['discussion', 'discussions', 'invitation'],
  ] as const) {
    const held = { kind, slug: 'held', memberOnly: true, main: '<p>Whole.</p>' } as const
    await anItem(shop, {
      ...held,
      link: media.link,
      linkTitle: media.linkTitle,
      ...(kind === 'discussion' ? {} : { videoLink: media.videoLink }),
      ...(kind === 'article' ? { audioId } : {}),
    })
    const { text, sections } = await screenAt(`/${path}/held`)
    expect(text).toContain('Whole.')
    expect(sections).toContain(`The ${what} is for members`)
    const page = await render({
      url: `/${path}/held`,
      origin: 'http://shop',
      fetch: inProcess(shop.app, VISITOR),
      details: shop.config.details.ofPages,
    })
    const source = JSON.stringify(page)
    expect(source).toContain('Whole.')
    expect(source).not.toMatch(/vimeo\.com|tickets\.example|Door/)
    expect(source).not.toContain(audioId)
  }
})

test('NAV-48 INFO-03 EDIT-03: an unknown address of any kind shows the not-found page', async () => {
  for (const path of [
    '/info/nothing',
    '/articles/nothing',
    '/interviews/nothing',
    '/discussions/nothing',
    '/admin',
    '/nothing/of/the/kind',
  ]) {
    const { status, heading, title } = await screenAt(path)
    expect([path, status, heading, title]).toEqual([path, 404, 'Page not found', 'Page not found | Murmur'])
  }
})

test('NAV-50 NAV-49: old addresses redirect to the new ones', async () => {
  await expect(screenAt('/info/contact-support')).rejects.toThrow('leads to /info/support')
  await expect(screenAt('/membership')).rejects.toThrow('leads to /subscription')
  expect((await screenAt('/info/support')).heading).toBe('Support')
})

test('FTR-01 NAV-55: every page has the footer, with the owner’s links and the booksellers’ door', async () => {
  const owners = menu.filter(({ group }) => group === 'Links').map(({ url }) => url)
  expect(owners.length).toBeGreaterThan(3)
  for (const path of ['/', '/browse', '/articles', '/info/support', '/audiobooks/an-audiobook'])
    expect((await screenAt(path)).links, path).toEqual(expect.arrayContaining([...owners, '/reseller']))
})
