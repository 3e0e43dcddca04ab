import { expect, test } from 'vitest'
import { HOME_SECTIONS } from '#contract/limits.ts'
import { MembershipPage } from '#contract/pages.ts'
import { PLANS } from '#contract/plans.ts'
import { audiobooks, readJson } from './read-demo.ts'
import { faqs, items, pages } from './read-editorial.ts'

interface Link {
  group: string
  title: string
  url: string
  style?: string
}
const { main, search } = readJson('menus.json') as { main: Link[]; search: Link[] }
const home = readJson('home.json') as {
  panels: { section: string; title: string; weight: number; visible: boolean }[]
  staffPicks: { visible: boolean; title: string; description: string; author: string; audioBook: string }[]
  guestPicks: string[]
  publishers: string[]
}
const slugs = audiobooks.map(({ slug }) => slug)
const words = (text: string) => text.trim().split(/\s+/).length
const page = (slug: string) => pages.find((each) => each.slug === slug)!.body

test('every info page is there and complete', () => {
  const wanted = 'audiobook-in-a-card support terms-conditions terms-privacy-etc starter-guide about'
  expect(pages.map(({ slug }) => slug).toSorted()).toEqual(wanted.split(' ').toSorted())
  for (const { slug, keys, body } of pages) {
    expect(keys.title, slug).toBeTruthy()
    expect(words(body), slug).toBeGreaterThanOrEqual(350)
  }
})

test('what bookshops are promised stands on their page', () => {
  const body = page('audiobook-in-a-card').toLowerCase()
  for (const promise of [
    'no upfront costs',
    '60% wholesale discount',
    '10% commission on future customer purchases',
    'monthly catalogue additions',
  ])
    expect(body).toContain(promise)
})

test('the terms name the price of every plan that is charged', () => {
  const body = page('terms-conditions')
  const pounds = (minor: number) => `£${minor / 100}`
  for (const [month, year, type] of [
    [PLANS[6], PLANS[7], 'Supporter'],
    [PLANS[4], PLANS[5], 'Reader'],
    [PLANS[1], PLANS[2], 'Avid Reader'],
  ] as const)
    expect(body).toContain(`| ${type} | ${pounds(month.priceMinor)} | ${pounds(year.priceMinor)} |`)
  expect(body).toContain(pounds(PLANS[3].priceMinor))
})

test('at least 4 categories of questions, at least 3 published in each, one not', () => {
  const all = faqs.flatMap(({ questions }) => questions)
  const published = (questions: string[]) => questions.filter((text) => !text.startsWith('(unpublished)'))
  expect(faqs.length).toBeGreaterThanOrEqual(4)
  for (const { name, questions } of faqs) expect(published(questions).length, name).toBeGreaterThanOrEqual(3)
  expect(all.length - published(all).length).toBe(1)
})

test('every menu group has entries, and one entry is set in italics', () => {
  expect(new Set(main.map(({ group }) => group))).toEqual(new Set(['Products', 'Murmurations', 'Links']))
  expect(new Set(search.map(({ group }) => group))).toEqual(new Set(['Group 1', 'Group 2']))
  expect(main.filter(({ style }) => style === 'Italic')).toHaveLength(1)
})

test('the menus hold every link that is asked of them', () => {
  const addresses = `/browse /editions?_page=1&itemsPerPage=5 /audiobooks?page=1&itemsPerPage=12
    /subscriber-selection?page=1&itemsPerPage=12 /info/starter-guide /faq /info/support /info/terms-conditions
    /info/terms-privacy-etc /murmurations`
  expect(main.map(({ url }) => url)).toEqual(expect.arrayContaining(addresses.split(/\s+/)))
  const titled = main.map(({ title, url }) => [title, url])
  expect(titled).toContainEqual(['Bookshops', '/info/audiobook-in-a-card'])
  expect(titled).toContainEqual(['Membership', '/subscription'])
  expect(titled).toContainEqual(['JOIN', '/sign-up'])
})

test('the home page has every section, one more that is not visible, and an order of its own', () => {
  const sections = home.panels.map(({ section }) => section)
  expect(sections).toEqual(expect.arrayContaining(HOME_SECTIONS.filter((section) => !OF_OWN_SHOPS.includes(section))))
  const hidden = home.panels.filter(({ visible }) => !visible)
  expect(hidden).toHaveLength(1)
  expect(HOME_SECTIONS).not.toContain(hidden[0]!.section)
  const weights = home.panels.map(({ weight }) => weight)
  expect(new Set(weights).size).toBe(weights.length)
  expect(weights).not.toEqual(weights.toSorted((a, b) => a - b))
})

test('at least 4 staff picks, one not visible, and 8 picked by a guest, all audiobooks of the shop', () => {
  expect(home.staffPicks.length).toBeGreaterThanOrEqual(4)
  expect(home.staffPicks.filter(({ visible }) => !visible)).toHaveLength(1)
  expect(home.guestPicks).toHaveLength(8)
  expect(slugs).toEqual(expect.arrayContaining(home.staffPicks.map(({ audioBook }) => audioBook)))
  expect(slugs).toEqual(expect.arrayContaining(home.guestPicks))
  const publishers = readJson('publishers.json') as { slug: string }[]
  expect(publishers.map(({ slug }) => slug)).toEqual(expect.arrayContaining(home.publishers))
})

test('the membership page has every field and at least 4 testimonials', () => {
  const membership = readJson('membership.json') as { testimonialBlocks: unknown[] }
  const fields = Object.keys(MembershipPage.properties).filter((field) => !field.startsWith('@'))
  expect(Object.keys(membership).toSorted()).toEqual(fields.toSorted())
  expect(membership.testimonialBlocks.length).toBeGreaterThanOrEqual(4)
})

test('links to the shop’s own books, pieces and pages lead somewhere', () => {
  const texts = [...pages.map(({ body }) => body), ...items.map(({ body }) => body), JSON.stringify(faqs)]
  const known = new Set([
    ...slugs.map((slug) => `/audiobooks/${slug}`),
    ...items.map(({ folder, slug }) => `/${folder}/${slug}`),
    ...pages.map(({ slug }) => `/info/${slug}`),
  ])
  const links = texts.flatMap((text) => [...text.matchAll(/\]\((\/\w+\/[\w-]+)\)/g)].map((match) => match[1]!))
  expect(links.length).toBeGreaterThan(10)
  expect(links.filter((link) => !known.has(link))).toEqual([])
})

/** Panels for a shop whose owner arranged nothing; the demo is arranged. */
const OF_OWN_SHOPS = ['guestPicks', 'newTitles', 'mostHeard', 'allTitles']
