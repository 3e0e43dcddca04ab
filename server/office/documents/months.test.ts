import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MonthContent, MonthTitle, OfficeDocument, PlannedMonth } from '#contract/office/documents.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { followMonths, nextMonthToBegin } from '#server/features/catalogue/months.ts'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let hana: StaffSession
let now: string
let next: string
beforeAll(async () => {
  shop = await testShop()
  hana = await signedInStaff(shop, 'editor', { name: 'Hana Brodie' })
  await anAudioBook(shop, { slug: 'salt', title: 'Salt', secondEdition: true })
  await anAudioBook(shop, { slug: 'tide', title: 'Tide', booksellerWords: 'Wet.', booksellerName: 'Rosa' })
  await anAudioBook(shop, { slug: 'moor', title: 'Moor', edition: true })
  const first = new Date(shop.clock.now())
  const monthAfter = (count: number) =>
    new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + count, 1)).toISOString().slice(0, 7)
  now = monthAfter(0)
  next = monthAfter(1)
})
afterAll(() => shop.close())

type Month = Omit<OfficeDocument, 'content'> & { content: MonthContent }
const at = (month: string) => `/api/office/documents/month/${month}`
const open = async (month: string): Promise<Month> => (await hana.ask('GET', at(month))).json()
const plain = (slug: string): MonthTitle => ({ slug, words: '', by: '' })
const slugs = ({ highlights, editions }: MonthContent) =>
  [highlights, editions].map((list) => list.map(({ slug }) => slug))

async function save(month: string, content: MonthContent) {
  const { version } = await open(month)
  return (await hana.ask('PUT', `${at(month)}/draft`, { content, version })).json()
}
async function publish(month: string, content: MonthContent) {
  const { version } = await save(month, content)
  const done = await hana.ask('POST', `${at(month)}/publish`, { version })
  expect(done.statusCode).toBe(200)
  return done.json()
}
async function shown(): Promise<string[][]> {
  shop.answers.clear()
  const lists = await Promise.all(
    ['/api/audio_books/second_editions', '/api/audio_books?edition=true'].map((url) =>
      shop.app.inject({ url }),
    ),
  )
  return lists.map((list) => list.json()['hydra:member'].map(({ slug }: { slug: string }) => slug))
}
const ofBook = async (slug: string) => (await shop.db.select().from(books).where(eq(books.slug, slug)))[0]!
const undo = (entry: number) => hana.ask('POST', `/api/office/activity/${entry}/undo`)
const months = async (): Promise<{ months: PlannedMonth[]; isPlanned: boolean }> =>
  (await hana.ask('GET', '/api/office/months')).json()

test('OFFICE-79: this month begins with what the folders say; publishing shows its titles in their order, and undo takes them back', async () => {
  const before = await open(now)
  expect(before).toMatchObject({ state: 'live', hasDraft: false, version: 0 })
  expect(slugs(before.content)).toEqual([['salt'], ['moor']])
  expect(await months()).toMatchObject({ isPlanned: false })

  const { entry } = await publish(now, {
    highlights: [{ slug: 'tide', words: 'All of it at once.', by: 'Wilf' }, plain('salt')],
    editions: [],
  })
  expect(await shown()).toEqual([['tide', 'salt'], []])
  expect(await ofBook('tide')).toMatchObject({
    booksellerWords: 'All of it at once.',
    booksellerName: 'Wilf',
    setByOwner: expect.arrayContaining(['secondEdition', 'bookseller']),
    sourceValues: {
      secondEdition: false,
      bookseller: { booksellerWords: 'Wet.', booksellerName: 'Rosa' },
    },
  })
  expect((await ofBook('moor')).setByOwner).toEqual(['edition'])

  expect((await undo(entry)).statusCode).toBe(200)
  expect(await shown()).toEqual([['salt'], ['moor']])
})

test('OFFICE-79: a later month is planned, begins on its first day, and no import or title changes what it shows', async () => {
  await publish(now, { highlights: [plain('tide'), plain('salt')], editions: [plain('moor')] })
  const proposed = await open(next)
  expect([proposed.state, slugs(proposed.content)]).toEqual(['draft', [['tide', 'salt'], ['moor']]])

  const early = await publish(next, { highlights: [plain('salt')], editions: [] })
  expect((await undo(early.entry)).statusCode).toBe(200)
  expect(await open(next)).toMatchObject({ state: 'draft', hasDraft: true })
  expect((await months()).months[1]).toMatchObject({ state: 'as-before', highlights: ['tide', 'salt'] })

  await publish(next, {
    highlights: [plain('moor')],
    editions: [{ slug: 'salt', words: 'Bring a coat.', by: 'Wilf' }, plain('tide')],
  })
  expect(await open(next)).toMatchObject({ state: 'scheduled', publishAt: expect.stringMatching(/T/) })
  expect((await months()).months.slice(0, 3)).toMatchObject([
    { month: now, state: 'current', highlights: ['tide', 'salt'] },
    { month: next, state: 'planned', highlights: ['moor'] },
    { state: 'as-before', highlights: ['moor'], editions: ['salt', 'tide'] },
  ])
  expect(await followMonths(shop)).toBe(false)
  expect(await shown()).toEqual([['tide', 'salt'], ['moor']])

  const begins = (await nextMonthToBegin(shop, shop.clock.now()))!
  expect(begins.toISOString()).toBe((await open(next)).publishAt)
  // Only the shop's clock: the sessions of staff end by the real one.
  shop.clock.aheadMs = begins.getTime() - shop.clock.now().getTime() - 1
  expect(await followMonths(shop)).toBe(false)
  shop.clock.aheadMs += 1
  expect(await followMonths(shop)).toBe(true)
  expect(await shown()).toEqual([['moor'], ['salt', 'tide']])
  expect(await ofBook('salt')).toMatchObject({ booksellerWords: 'Bring a coat.', booksellerName: 'Wilf' })

  await anAudioBook(shop, { slug: 'fen', title: 'Fen', secondEdition: true })
  expect(await followMonths(shop)).toBe(true)
  expect((await shown())[0]).toEqual(['moor'])
  expect(await followMonths(shop)).toBe(false)
  const change = await hana.ask('PATCH', '/api/office/titles/fen', { values: { secondEdition: true } })
  expect([change.statusCode, change.json().violations[0].message]).toEqual([
    422,
    expect.stringContaining('planned under Titles, Months'),
  ])
  const title = (await hana.ask('GET', '/api/office/titles/tide')).json()
  expect(title).toMatchObject({ isMonthPlanned: true, months: [{ month: next, list: 'editions' }] })

  const retired = await hana.ask('POST', `${at(next)}/retire`)
  expect(retired.statusCode).toBe(200)
  expect(await shown()).toEqual([['tide', 'salt'], ['moor']])
  await undo(retired.json().entry)
  expect(await shown()).toEqual([['moor'], ['salt', 'tide']])
})

test('OFFICE-79: a month without titles, with an unknown or a repeated title, or with words without a name is not published', async () => {
  const words = async (content: MonthContent) =>
    (await save(next, content)).missing.map(({ words: each }: { words: string }) => each)
  expect(await words({ highlights: [], editions: [] })).toEqual([
    'A month needs a title that members can choose.',
  ])
  expect(await words({ highlights: [plain('tide'), plain('tide')], editions: [plain('reef')] })).toEqual([
    '“tide” is there twice.',
    'The shop has no title “reef”.',
  ])
  expect(await words({ highlights: [{ ...plain('tide'), words: 'Wet.' }], editions: [] })).toEqual([
    'Say who says these words.',
  ])
  expect((await hana.ask('GET', at('2026-13'))).statusCode).toBe(404)
})

test('OFFICE-79: e-books are offered for a month if there is no audiobook of them, and not for panels', async () => {
  await anAudioBook(shop, { slug: 'kelp-song', title: 'Kelp Song' })
  await anEBook(shop, { slug: 'kelp-song', title: 'Kelp Song' })
  await anEBook(shop, { slug: 'kelp-light', title: 'Kelp Light' })
  const offered = async (ebooks: string) =>
    (await hana.ask('GET', `/api/office/choices/titles?words=kelp${ebooks}`))
      .json()
      .titles.map(({ slug }: { slug: string }) => slug)
  expect(await offered('&ebooks=true')).toEqual(['kelp-light', 'kelp-song'])
  expect(await offered('')).toEqual(['kelp-song'])

  await publish(next, { highlights: [plain('kelp-light'), plain('tide')], editions: [] })
  expect(await ofBook('kelp-light')).toMatchObject({ secondEdition: true, highlightPosition: 1 })
  // This list has audiobooks only.
  expect((await shown())[0]).toEqual(['tide'])
})
