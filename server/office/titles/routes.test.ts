import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ListedTitle } from '#contract/office/titles.ts'
import { HOUR_MS } from '#contract/durations.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { orderLines, orders } from '#server/db/schema/orders.ts'
import { runPriceChanges } from '#server/features/catalogue/price-changes.ts'
import { anAudioBook, anEBook, aUser, inLibrary } from '#tests/support/builders.ts'
import { aBuyer, fillBag } from '#tests/support/purchases.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { signedInStaff, type StaffSession } from '#tests/support/staff.ts'

let shop: TestShop
let editor: StaffSession
beforeAll(async () => {
  shop = await testShop()
  editor = await signedInStaff(shop, 'editor')
})
afterAll(() => shop.close())

const list = async (query: string) => (await editor.ask('GET', `/api/office/titles?${query}`)).json()
const slugs = (page: { rows: ListedTitle[] }) => page.rows.map(({ slug }) => slug)
const post = (path: string, body: object) => editor.ask('POST', `/api/office/titles/${path}`, body)
const bookOf = async (id: number) => (await shop.db.select().from(books).where(eq(books.id, id)))[0]!
const undo = (entry: number) => editor.ask('POST', `/api/office/activity/${entry}/undo`)
const why = (answer: Awaited<ReturnType<StaffSession['ask']>>) => answer.json()['hydra:description']

test('OFFICE-25: titles are found by name, author, state, format and what is missing, in every order, and paged without gaps', async () => {
  const skerry = await anAudioBook(shop, { slug: 'skerry', title: '100% Skerry', priceMinor: 900 })
  await anEBook(shop, { slug: 'skerry', title: '100% Skerry', priceMinor: 700 })
  await anAudioBook(shop, { slug: 'peat', title: 'Peat', state: 'draft', priceMinor: 1100 })
  await anAudioBook(shop, { slug: 'gall', title: 'Oak Gall', published: false, priceMinor: 0 })
  expect((await list('words=100%25')).total).toBe(2)
  expect((await list('words=%25%25')).total).toBe(0)
  expect(slugs(await list('state=draft'))).toEqual(['peat'])
  expect(slugs(await list('missing=price'))).toEqual(['gall'])
  expect(slugs(await list('words=skerry&format=e_book'))).toEqual(['skerry'])
  expect(slugs(await list('sort=-price&limit=2'))).toEqual(['peat', 'skerry'])
  const [row] = (await list('words=skerry&format=audio_book')).rows
  expect(row).toMatchObject({ id: skerry.id, state: 'on-sale', priceMinor: 900, memberMinor: 720, sold: 0 })
  expect((await list('missing=price')).rows[0]).toMatchObject({ priceMinor: null, state: 'not-on-sale' })
  for (const sort of ['title', '-sold', 'added']) {
    const seen: number[] = []
    let after: string | null = ''
    while (after !== null) {
      const page: { rows: ListedTitle[]; next: string | null } = await list(
        `sort=${sort}&limit=1${after && `&after=${after}`}`,
      )
      seen.push(...page.rows.map(({ id }) => id))
      after = page.next
    }
    expect(new Set(seen).size, sort).toBe(4)
    expect(seen, sort).toHaveLength(4)
  }
  for (const bad of ['sort=secret', 'after=zzz', 'state=lost'])
    expect((await editor.ask('GET', `/api/office/titles?${bad}`)).statusCode, bad).toBe(400)
})

test('OFFICE-25: the titles that sold most come first, then those without sales, and pages continue from one to the other', async () => {
  const sold = { words: 'tideline', sort: '-sold' }
  const ids: number[] = []
  for (const n of [0, 1, 2, 3])
    ids.push((await anAudioBook(shop, { title: `Tideline ${n}`, slug: `tideline-${n}` })).id)
  const [none, most, some, returned] = ids as [number, number, number, number]
  const order = await shop.db
    .insert(orders)
    .values({
      ...{
        state: 'awaiting_payment',
        totalMinor: 4000,
        vatMinor: 0,
        beforeDiscountMinor: 4000,
        fingerprint: 'tideline',
      },
      ...{ buyerName: '', buyerEmail: '', countryCode: 'GB' },
    })
    .returning()
  const line = {
    orderId: order[0]!.id,
    title: '',
    originalMinor: 1000,
    priceMinor: 1000,
    vatPercent: 0,
    vatMinor: 0,
  }
  await shop.db
    .insert(orderLines)
    .values([most, most, some, returned].map((bookId, position) => ({ ...line, bookId, position })))
  const listed = async (changes: object = {}) =>
    (await list(String(new URLSearchParams({ ...sold, ...changes })))).rows.map((row: ListedTitle) => [
      row.id,
      row.sold,
    ])
  const unsold = ids.toReversed().map((id) => [id, 0])
  expect(await listed()).toEqual(unsold)

  await shop.db
    .update(orders)
    .set({ state: 'paid', paidAt: shop.clock.now() })
    .where(eq(orders.id, order[0]!.id))
  await shop.db
    .update(orderLines)
    .set({ refundedAt: shop.clock.now() })
    .where(eq(orderLines.bookId, returned))
  const best = [[most, 2], [some, 1], [returned, 0], [none, 0]] // prettier-ignore
  expect(await listed()).toEqual(best)
  expect(await listed({ sort: 'sold' })).toEqual(best.toReversed())

  for (const sort of ['sold', '-sold']) {
    const all = (await list(`sort=${sort}&limit=200`)).rows.map((row: ListedTitle) => row.id)
    const paged: number[] = []
    let after = ''
    do {
      const page: { rows: ListedTitle[]; next: string | null } = await list(
        `sort=${sort}&limit=3${after && `&after=${after}`}`,
      )
      paged.push(...page.rows.map(({ id }) => id))
      after = page.next ?? ''
    } while (after)
    expect(paged, sort).toEqual(all)
  }

  await shop.db
    .update(orders)
    .set({ paidAt: new Date(0) })
    .where(eq(orders.id, order[0]!.id))
  expect(await listed()).toEqual(unsold)
})

test('OFFICE-08: the titles of a list are downloaded as CSV after the passkey, and the log says who took how many', async () => {
  const file = await editor.ask('GET', '/api/office/titles/list/export?words=skerry&sort=-price')
  const [, first, second, ...rest] = file.body.trim().split('\n')
  expect([first, second]).toEqual([
    expect.stringMatching(/^100% Skerry,.*audiobook,.*on-sale,.*,9\.00,7\.20,0,/),
    expect.stringMatching(/^100% Skerry,.*e-book,.*,7\.00,/),
  ])
  expect(rest).toEqual([])
  const owner = await signedInStaff(shop, 'owner')
  const [entry] = (await owner.ask('GET', '/api/office/activity?limit=1')).json().rows
  expect(entry).toMatchObject({ by: editor.name, kind: 'titles export', what: 'Downloaded 2 rows as CSV' })
  const thief = await signedInStaff(shop, 'editor', { confirmed: false })
  expect((await thief.ask('GET', '/api/office/titles/list/export')).statusCode).toBe(403)
})

test('OFFICE-27: prices and states of more titles than a screen shows change together and are undone, up to a thousand', async () => {
  const { id: _id, ...one } = await bookOf((await anAudioBook(shop, { priceMinor: 1000 })).id)
  const many = await shop.db
    .insert(books)
    .values(
      Array.from({ length: 240 }, (_, index) => ({ ...one, slug: `many-${index}`, title: `Many ${index}` })),
    )
    .returning({ id: books.id })
  const ids = many.map(({ id }) => id)
  const pricing = { ids, how: 'percent', by: -10, round: 'penny' }
  const plan = (await post('prices/plan', pricing)).json()
  expect([plan.rows.length, plan.shownMinor]).toEqual([240, 240 * 900])
  const done = (await post('prices', { ...pricing, shownMinor: plan.shownMinor })).json()
  expect(done.what).toBe('Changed the prices of 240 titles')
  expect((await bookOf(ids.at(-1)!)).priceMinor).toBe(900)
  await undo(done.entry)
  expect((await bookOf(ids.at(-1)!)).priceMinor).toBe(1000)
  const retired = (await post('states', { ids, state: 'retired' })).json()
  expect(retired.what).toBe('Retired 240 titles')
  const tooMany = Array.from({ length: 1_001 }, (_, index) => index + 1)
  expect((await post('prices/plan', { ...pricing, ids: tooMany })).statusCode).toBe(422)
  await shop.db.delete(books).where(inArray(books.id, ids))
})

test('OFFICE-27: a price is set with what members then pay, is no other than was shown, and is undone as it was, with its folder in charge again', async () => {
  const one = await anAudioBook(shop, { priceMinor: 1200 })
  const pricing = { ids: [one.id], how: 'set', by: 1300 }
  const plan = (await post('prices/plan', pricing)).json()
  expect(plan.rows).toMatchObject([{ nowMinor: 1200, thenMinor: 1300, memberMinor: 1040 }])
  expect((await post('prices', { ...pricing, shownMinor: 1299 })).statusCode).toBe(409)
  const done = (await post('prices', { ...pricing, shownMinor: 1300 })).json()
  expect(await bookOf(one.id)).toMatchObject({
    priceMinor: 1300,
    setByOwner: ['price'],
    sourceValues: { price: { priceMinor: 1200, memberPriceMinor: null } },
  })
  expect((await undo(done.entry)).statusCode).toBe(200)
  expect(await bookOf(one.id)).toMatchObject({ priceMinor: 1200, setByOwner: [], sourceValues: {} })
  const again = (await post('prices', { ...pricing, shownMinor: 1300 })).json()
  await post('prices', { ...pricing, by: 1400, shownMinor: 1400 })
  const late = await undo(again.entry)
  expect([late.statusCode, why(late)]).toEqual([422, expect.stringContaining('has changed since')])
  const tooLow = await post('prices/plan', { ...pricing, memberMinor: 100 })
  expect(tooLow.statusCode).toBe(422)
  expect((await post('prices/plan', { ...pricing, ids: [2_000_000_000] })).statusCode).toBe(404)
})

test('OFFICE-27: many prices change by per cent and are rounded, and the preview counts the bags with one of them and names the codes that still apply', async () => {
  const buyer = await aBuyer(shop)
  const some = [
    await anAudioBook(shop, { priceMinor: 1200 }),
    await anAudioBook(shop, { priceMinor: 1499 }),
    await anAudioBook(shop, { priceMinor: 1400 }),
  ]
  await fillBag(buyer, [{ ...some[0]!, kind: 'audio_books' }])
  await shop.db
    .insert(discounts)
    .values({ code: 'SALT20', type: 'book', percent: 20, bookIds: [some[1]!.id] })
  const ids = some.map(({ id }) => id)
  const plan = (await post('prices/plan', { ids, how: 'percent', by: -15, round: 'nines' })).json()
  const then = new Map(
    plan.rows.map(({ id, thenMinor }: { id: number; thenMinor: number }) => [id, thenMinor]),
  )
  expect(ids.map((id) => then.get(id))).toEqual([999, 1249, 1199])
  expect(plan.touches.join(' ')).toContain('One person has one of these in their bag')
  expect(plan.touches.join(' ')).toContain('SALT20 still takes 20% off.')
  expect((await post('prices/plan', { ids, how: 'pounds', by: -99_999 })).json().rows[0].thenMinor).toBe(0)
})

test('OFFICE-28: a temporary price starts and ends by the shop’s clock, can be cancelled, and does not replace a price that was set during its time', async () => {
  const one = await anAudioBook(shop, { priceMinor: 1200 })
  const at = (hours: number) =>
    new Date(shop.clock.now().getTime() + hours * HOUR_MS)
      .toLocaleString('sv-SE', { timeZone: shop.config.shopZone })
      .slice(0, 16)
      .replace(' ', 'T')
  const pricing = { ids: [one.id], how: 'set', by: 600, from: at(2), until: at(4), shownMinor: 600 }
  const planned = await post('prices', pricing)
  expect(planned.json().what).toMatch(/^Planned £6\.00/)
  const priceAfter = async (hours: number) => {
    shop.clock.aheadMs += hours * HOUR_MS
    await runPriceChanges(shop)
    return (await bookOf(one.id)).priceMinor
  }
  expect(await priceAfter(1)).toBe(1200)
  expect(await priceAfter(1.5)).toBe(600)
  expect(await priceAfter(2)).toBe(1200)
  expect(await bookOf(one.id)).toMatchObject({ setByOwner: [] })
  const second = (await post('prices', { ...pricing, from: at(1), until: at(2) })).json()
  expect((await undo(second.entry)).statusCode).toBe(200)
  expect(await priceAfter(1.5)).toBe(1200)
  await post('prices', { ...pricing, from: at(1), until: at(3) })
  expect(await priceAfter(2)).toBe(600)
  await post('prices', { ids: [one.id], how: 'set', by: 777, shownMinor: 777 })
  expect(await priceAfter(2)).toBe(777)
  for (const bad of [{ from: at(3), until: at(2) }, { from: '2026-02-31T10:00' }, { until: at(-5) }])
    expect((await post('prices/plan', { ids: [one.id], how: 'set', by: 1, ...bad })).statusCode).toBe(422)
})

test('OFFICE-27: states change together after a preview, never to draft for a title that a customer owns, and are undone', async () => {
  const owned = await anAudioBook(shop, { title: 'Owned' })
  await inLibrary(shop, await aUser(shop), owned)
  const bare = await anAudioBook(shop, { title: 'Bare', published: false, priceMinor: 0, state: 'on-sale' })
  const body = { ids: [owned.id, bare.id], state: 'retired' }
  const plan = (await post('states/plan', { ...body, state: 'draft' })).json()
  expect(plan.rows).toMatchObject([
    { title: 'Bare', isRefused: false },
    { title: 'Owned', isRefused: true },
  ])
  expect((await post('states', { ...body, state: 'draft' })).statusCode).toBe(422)
  const done = (await post('states', body)).json()
  expect((await bookOf(owned.id)).stateByCommand).toBe('retired')
  await undo(done.entry)
  expect((await bookOf(owned.id)).stateByCommand).toBeNull()
  const sale = (await post('states/plan', { ids: [bare.id], state: 'on-sale' })).json()
  expect(sale.rows).toMatchObject([{ becomes: 'not-on-sale', note: 'Not sold until it has a price.' }])
})

test('OFFICE-29: the editor changes texts, people and shelves of a title in both formats, is undone, refuses what can’t be, and gives a field back to the folder', async () => {
  const audio = await anAudioBook(shop, { slug: 'starlings', title: 'What the Starlings Kept' })
  await anEBook(shop, { slug: 'starlings', title: 'What the Starlings Kept' })
  const at = '/api/office/titles/starlings'
  const values = {
    title: 'What the Starlings Knew',
    summary: 'One.\n\nTwo <script>alert(1)</script>',
    authors: ['Ruth Ansell', ' Ida  Frost '],
    narrators: ['Corin Voss'],
    series: [{ title: 'Birds', number: '2' }],
    secondEdition: true,
  }
  const saved = await editor.ask('PATCH', at, { values })
  expect(saved.json().what).toContain('Changed title')
  const { books: both } = (await editor.ask('GET', at)).json()
  expect(both).toHaveLength(2)
  expect(both[0].values).toMatchObject({
    authors: ['Ruth Ansell', 'Ida Frost'],
    narrators: ['Corin Voss'],
    series: [{ slug: 'birds', number: '2' }],
  })
  expect(both[0].values.summary).not.toContain('<script')
  expect(both[0].sourceSays).toMatchObject({ title: 'What the Starlings Kept' })
  expect(both[1].values).toMatchObject({ title: 'What the Starlings Knew', narrators: [] })
  const page = (await shop.app.inject('/api/audio_books/starlings')).json()
  expect(page).toMatchObject({
    title: 'What the Starlings Knew',
    authors: [{ fullName: 'Ruth Ansell', slug: 'ruth-ansell' }, {}],
  })
  const follow = await editor.ask('POST', `${at}/follow`, { field: 'title' })
  expect(follow.statusCode).toBe(200)
  expect((await bookOf(audio.id)).title).toBe('What the Starlings Kept')
  const late = await undo(saved.json().entry)
  expect([late.statusCode, why(late)]).toEqual([422, expect.stringContaining('has changed since')])
  const second = (await editor.ask('PATCH', at, { values: { tags: ['Tides'] } })).json()
  expect((await undo(second.entry)).statusCode).toBe(200)
  expect((await editor.ask('GET', at)).json().books[0].values.tags).toEqual([])
  for (const bad of [
    { title: ' ' },
    { authors: 'Ruth' },
    { firstPublished: '2026-13-01' },
    { colours: { textColour: 'red' } },
    { priceMinor: 1 },
    { __proto__x: 1 },
  ])
    expect((await editor.ask('PATCH', at, { values: bad })).statusCode, JSON.stringify(bad)).toBe(422)
  expect((await editor.ask('PATCH', `${at}-not`, { values: {} })).statusCode).toBe(404)
})

test('OFFICE-81: a title without owners is deleted after typing its name, one format or all; one with an owner is not', async () => {
  const audio = await anAudioBook(shop, { slug: 'wrack', title: 'Wrack' })
  await anEBook(shop, { slug: 'wrack', title: 'Wrack' })
  await inLibrary(shop, await aUser(shop), audio)
  const at = '/api/office/titles/wrack'
  const remove = (body: object) =>
    editor.ask('POST', `${at}/delete`, { because: 'Twice', name: 'wrack', ...body })
  expect((await remove({})).statusCode).toBe(422)
  expect((await remove({ format: 'e_book', name: 'Rack' })).json().violations).toMatchObject([
    { propertyPath: 'name' },
  ])
  expect((await remove({ format: 'e_book' })).statusCode).toBe(204)
  expect((await editor.ask('GET', at)).json().books).toMatchObject([{ format: 'audio_book', isBound: true }])
})
