import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Bookshop, FoundCard } from '#contract/office/cards.ts'
import { DAY_MS } from '#contract/durations.ts'
import type { Todo } from '#contract/office/today.ts'
import { outlets } from '#server/db/schema/accounts.ts'
import { cards, outletLines, outletStatements, starterPackRequests } from '#server/db/schema/cards.ts'
import { mails } from '#server/db/schema/mails.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBookshop, aCard } from '#tests/support/cards.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let owner: StaffSession
let slug: string
beforeAll(async () => {
  shop = await testShop()
  owner = await signedInStaff(shop, 'owner')
  const book = await anAudioBook(shop, { priceMinor: 1200 })
  const [row] = await shop.db
    .update(books)
    .set({ availableAsCard: true })
    .where(eq(books.id, book.id))
    .returning({ slug: books.slug })
  slug = row!.slug
})
afterAll(() => shop.close())

const seen = async () => (await owner.ask('GET', '/api/office/cards')).json()
const corner = async () =>
  (await seen()).bookshops.find((each: Bookshop) => each.slug === 'corner-house-books')
const find = async (number: string): Promise<FoundCard[]> =>
  (await owner.ask('POST', '/api/office/cards/find', { number })).json().cards
const make = (by: StaffSession, count = 3) =>
  by.ask('POST', '/api/office/cards/batches', { title: slug, count, layout: 'a4' })

test('OFFICE-64: cards are made into one file with the passkey, counted, looked up and made void', async () => {
  const late = await signedInStaff(shop, 'owner', { confirmed: false })
  expect((await make(late)).statusCode).toBe(403)
  const zip = await make(owner)
  expect([zip.statusCode, zip.headers['content-type'], zip.rawPayload.subarray(0, 2).toString()]).toEqual([
    200,
    'application/zip',
    'PK',
  ])
  const [batch] = (await seen()).batches
  expect(batch).toMatchObject({ made: 3, sold: 0, opened: 0, voided: 0, priceMinor: 1200, outlet: null })
  const [card, other] = await shop.db.select().from(cards)
  expect(await find(card!.number)).toMatchObject([
    { number: card!.number, batch: batch.id, state: 'unsold', lines: [expect.any(String), 'not sold yet'] },
  ])
  expect((await find(other!.number.slice(-4))).map(({ number }) => number)).toContain(other!.number)
  expect(await find('123456789012')).toEqual([])
  const one = { number: card!.number, because: 'It fell into the sea' }
  expect((await late.ask('POST', '/api/office/cards/void', one)).statusCode).toBe(403)
  await owner.ask('POST', '/api/office/cards/void', one)
  expect(await find(card!.number)).toMatchObject([{ state: 'void' }])
  const file = await owner.ask('GET', `/api/office/cards/batches/export?ids=${batch.id}`)
  expect(file.body.trim().split('\n').slice(1)).toEqual([
    expect.stringMatching(new RegExp(`^${batch.id},.*,every bookshop,12\\.00,3,0,0,1\r?$`)),
  ])
  expect((await owner.ask('GET', '/api/office/cards/batches/export?ids=1')).body.trim()).not.toContain('\n')
  const voidUrl = `/api/office/cards/batches/${batch.id}/void`
  expect((await owner.ask('POST', voidUrl, { because: ' ' })).statusCode).toBe(422)
  expect((await owner.ask('POST', voidUrl, { because: 'The box got wet' })).json()).toEqual({ count: 2 })
  expect((await seen()).batches[0]).toMatchObject({ voided: 3 })
  expect((await owner.ask('POST', '/api/office/cards/batches/1/void', { because: 'x' })).statusCode).toBe(404)
})

test('OFFICE-64: a sold card that can’t be read is replaced by a new one, in a file; its code still finds it', async () => {
  const bookshop = await aBookshop(shop)
  const card = await aCard(shop)
  const asked = { number: card.number, layout: 'a4', because: 'The code is scratched' }
  const unsold = await owner.ask('POST', '/api/office/cards/replace', asked)
  expect([unsold.statusCode, unsold.json()['hydra:description']]).toEqual([
    422,
    'This card wasn’t sold. Void it and sell another one.',
  ])
  await bookshop.sell(card)
  expect(await find(card.code.toLowerCase())).toMatchObject([{ number: card.number, state: 'sold' }])
  const zip = await owner.ask('POST', '/api/office/cards/replace', asked)
  expect([zip.statusCode, zip.headers['content-type']]).toEqual([200, 'application/zip'])
  const [old] = await shop.db.select().from(cards).where(eq(cards.id, card.id))
  const [replacement] = await shop.db.select().from(cards).where(eq(cards.id, old!.replacedBy!))
  expect(zip.rawPayload.toString('latin1')).toContain(`card-${replacement!.number}.csv`)
  expect(await find(card.number)).toMatchObject([{ state: 'void' }])
  expect(await find(replacement!.number)).toMatchObject([{ state: 'sold' }])
  const log = await owner.ask('GET', '/api/office/activity?kind=cards%20replace')
  expect(log.json().rows[0]).toMatchObject({
    what: `Replaced the card ${card.number}`,
    because: asked.because,
  })
})

test('OFFICE-65: a bookshop is added, gets other terms with undo, and is closed; a starter pack leaves the list', async () => {
  const shopOf = { email: 'priya@corner.example', discountPercent: 60, commissionPercent: 10 }
  const added = await owner.ask('POST', '/api/office/bookshops', { name: 'Corner House Books', ...shopOf })
  expect(added.json()).toEqual({ slug: 'corner-house-books', name: 'Corner House Books' })
  const url = '/api/office/bookshops/corner-house-books'
  const changed = await owner.ask('PATCH', url, { discountPercent: 50, commissionPercent: 5 })
  expect(await corner()).toMatchObject({ discountPercent: 50, commissionPercent: 5, cards: 0 })
  await owner.ask('POST', `/api/office/activity/${changed.json().entry}/undo`)
  expect(await corner()).toMatchObject({ discountPercent: 60, emails: ['priya@corner.example'] })
  const address = { email: 'shop@corner.example', because: 'Priya left' }
  expect((await owner.ask('POST', `${url}/address`, address)).json()).toEqual({
    email: 'shop@corner.example',
  })
  expect((await corner()).emails).toEqual(['shop@corner.example'])
  expect((await owner.ask('POST', `${url}/close`, { because: 'They retire' })).json()).toEqual({
    statement: null,
  })
  expect((await corner()).closedAt).not.toBeNull()
  const none = await owner.ask('GET', `${url}/statements/${owner.id}/export?as=pdf`)
  expect(none.statusCode).toBe(404)

  const [pack] = await shop.db
    .insert(starterPackRequests)
    .values({
      ...{ shopName: 'The Rope Loft', town: 'Whitby', contact: 'Colm', email: 'colm@rope.example' },
      ...{ packs: 1, askedAt: shop.now() },
    })
    .returning()
  expect((await seen()).packs).toMatchObject([{ shopName: 'The Rope Loft' }])
  await owner.ask('POST', `/api/office/starter-packs/${pack!.id}/done`)
  expect((await seen()).packs).toEqual([])
})

test('OFFICE-80: a statement is marked as paid, with undo; an unpaid one is reminded at most once a day, and an overdue one is listed under Today', async () => {
  const bookshop = await aBookshop(shop, 'The Rope Loft')
  const [outlet] = await shop.db
    .update(outlets)
    .set({ slug: 'rope-loft' })
    .where(eq(outlets.id, bookshop.outletId))
    .returning()
  await bookshop.sell(await aCard(shop))
  const month = { from: '2026-01-01', to: '2026-01-31', dueOn: '2026-03-02', madeAt: shop.clock.now() }
  const [statement] = await shop.db
    .insert(outletStatements)
    .values({ outletId: outlet!.id, ...month })
    .returning()
  await shop.db
    .update(outletLines)
    .set({ statementId: statement!.id })
    .where(eq(outletLines.outletId, outlet!.id))
  const url = `/api/office/bookshops/${outlet!.slug}/statements/${statement!.id}`
  const shown = async () =>
    (await seen()).bookshops.find((each: Bookshop) => each.slug === outlet!.slug).statements[0]
  const today = async (by = owner) =>
    (await by.ask('GET', '/api/office/today')).json().todo.filter((each: Todo) => each.kind === 'statement')

  expect(await today()).toEqual([])
  // As the demo's clock is advanced: real time stays.
  shop.clock.aheadMs = DAY_MS
  expect(await today()).toMatchObject([
    {
      what: `${outlet!.name} owes £4.80: the statement ${statement!.number} should be paid.`,
      act: { kind: 'open', target: `/cards/bookshops/${outlet!.slug}` },
    },
  ])
  expect(await today(await signedInStaff(shop, 'editor'))).toEqual([])

  expect((await owner.ask('POST', `${url}/remind`)).statusCode).toBe(200)
  expect((await owner.ask('POST', `${url}/remind`)).statusCode).toBe(422)
  const sent = await shop.db.select().from(mails).where(eq(mails.kind, 'outlet_reminder'))
  expect(sent).toMatchObject([{ data: { number: statement!.number, toPayMinor: 480, isLate: true } }])
  expect(await shown()).toMatchObject({ paidOn: null, remindedAt: expect.any(String) })

  const late = await owner.ask('POST', `${url}/paid`, { on: '2026-03-04' })
  expect([late.statusCode, late.json().violations[0].message]).toEqual([422, 'That day is still to come.'])
  expect((await owner.ask('POST', `${url}/paid`, { on: '2025-12-31' })).statusCode).toBe(422)
  const { entry } = (await owner.ask('POST', `${url}/paid`, { on: '2026-03-02' })).json()
  expect(await shown()).toMatchObject({ paidOn: '2026-03-02', paidBy: owner.name })
  expect(await today()).toEqual([])
  expect((await owner.ask('POST', `${url}/paid`, { on: '2026-03-02' })).statusCode).toBe(422)
  expect((await owner.ask('POST', `${url}/remind`)).statusCode).toBe(422)
  await owner.ask('POST', `/api/office/activity/${entry}/undo`)
  expect(await shown()).toMatchObject({ paidOn: null, paidBy: null })
  expect(await today()).toHaveLength(1)
  expect((await owner.ask('POST', `/api/office/activity/${entry}/undo`)).statusCode).toBe(422)
  const other = `/api/office/bookshops/corner-house-books/statements/${statement!.id}/paid`
  expect((await owner.ask('POST', other, { on: '2026-03-02' })).statusCode).toBe(404)
})
