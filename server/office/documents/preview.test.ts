import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentKind } from '#contract/office/documents.ts'
import { infoPages } from '#server/db/schema/pages.ts'
import { emptyPiece } from '#server/features/documents/piece-queries.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { answersWith } from './preview.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
  await shop.db.insert(infoPages).values({ slug: 'about', title: 'About', content: '<p>Now.</p>' })
})
afterAll(() => shop.close())

const VISITOR = { country: 'GB', address: '127.0.0.1' }
const answers = async (kind: DocumentKind, key: string, content: object) =>
  Object.fromEntries(await answersWith(shop, { kind, key }, { ...content }, VISITOR))
const tables = () =>
  Promise.all(
    [
      'info_pages',
      'editorial_items',
      'faqs',
      'faq_categories',
      'menu_entries',
      'home_panels',
      'content_records',
    ].map(async (table) => (await shop.db.execute(`select * from ${table}`)).rows),
  )

test('OFFICE-41: a preview is what the shop’s own services answer for the draft, and it changes nothing', async () => {
  const before = await tables()
  expect(await answers('page', 'about', { title: 'Soon', body: 'A *draft*.', part: null })).toMatchObject({
    '/api/info_pages/about': { title: 'Soon', content: '<p>A <em>draft</em>.</p>' },
  })
  const piece = { ...emptyPiece('Not public yet'), body: 'Words.' }
  expect(await answers('article', 'not-public-yet', piece)).toMatchObject({
    '/api/articles/not-public-yet': { title: 'Not public yet', main: '<p>Words.</p>' },
  })
  const question = { question: 'How?', answer: 'So.', published: true, part: null }
  expect(await answers('faq', 'faq', { categories: [{ name: 'One', questions: [question] }] })).toMatchObject(
    {
      '/api/f_a_q_categories': { 'hydra:member': [{ faqsPublished: [{ question: 'How?' }] }] },
    },
  )
  const entry = { group: 'Links', title: 'Browse', url: '/browse', style: null, hidden: false }
  expect(await answers('menus', 'menus', { main: [entry], search: [] })).toMatchObject({
    '/api/menu_entries': { 'hydra:member': [{ title: 'Browse' }] },
  })
  const panel = {
    section: 'localShop',
    title: 'Us',
    visible: true,
    seenBy: 'everyone',
    from: null,
    until: null,
    titles: null,
  }
  const home = {
    ...{ panels: [panel], introText: { visitor: 'Hello', user: '', member: '' }, aboutText: 'Here.' },
    ...{ appStoreLink: null, playStoreLink: null, guestPicks: [], publishers: [], staffPicks: [] },
  }
  expect(await answers('home', 'home', home)).toMatchObject({
    '/api/homepage_panels': {
      'hydra:member': [{ localShop: { visible: true, title: 'Us' }, introText: { visitor: 'Hello' } }],
    },
  })
  expect(await tables()).toEqual(before)
})
