import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { takeAudioBook, takeEBook } from '#contract/bag.ts'
import { feedEvents } from '#server/db/schema/feed.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { credits } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const creditsLeft = (userId: string) =>
  shop.db.$count(credits, and(eq(credits.userId, userId), isNull(credits.spentAt)))
const giveCredit = (userId: string) =>
  shop.db.insert(credits).values({ userId, usableUntil: new Date('2027-01-01') })

test('API-71: a free title is added to the library by id or by slug, and is returned with its files', async () => {
  const buyer = await aBuyer(shop)
  const [book, other] = [await anAudioBook(shop, { priceMinor: 0 }), await anEBook(shop, { priceMinor: 0 })]
  const taken = await buyer.ask('POST', `/api/audio_books/add-to-library/${book.slug}`, {
    email: buyer.user.email.toUpperCase(),
  })
  expect(misfits(takeAudioBook.reply, taken.json())).toEqual([])
  expect(taken.json()).toMatchObject({ inLibrary: true, audioFiles: [{ chapterOrderNumber: 1 }, {}, {}] })
  expect(taken.json().download).toMatch(/^\/media\/zip\//)
  const second = await buyer.ask('POST', `/api/e_books/add-to-library/${other.id}`, {})
  expect(misfits(takeEBook.reply, second.json())).toEqual([])
  expect(second.json()).toMatchObject({ slug: other.slug, inLibrary: true })

  const again = await buyer.ask('POST', `/api/audio_books/add-to-library/${book.id}`, {})
  expect(again.statusCode).toBe(200)
  // The library changes; the orders, which list purchases, don't.
  const events = await shop.db.select().from(feedEvents).where(eq(feedEvents.userId, buyer.user.id))
  expect(events.map(({ data }) => data)).not.toContainEqual(expect.objectContaining({ type: 'new_order' }))
  expect(await shop.db.$count(libraryEntries, eq(libraryEntries.userId, buyer.user.id))).toBe(2)
})

test('API-71: a title that must be paid for, is not sold, or is requested for another email address is not added', async () => {
  const buyer = await aBuyer(shop)
  const status = async (slug: string, body: object = {}) =>
    (await buyer.ask('POST', `/api/audio_books/add-to-library/${slug}`, body)).statusCode
  const free = { priceMinor: 0 }
  expect(await status((await anAudioBook(shop)).slug)).toBe(422)
  expect(await status((await anAudioBook(shop, { ...free, published: false })).slug)).toBe(422)
  expect(await status((await anAudioBook(shop, { ...free, blockedCountries: ['GB'] })).slug)).toBe(422)
  const { slug } = await anAudioBook(shop, free)
  expect(await status(slug, { email: 'somebody.else@murmur.example' })).toBe(422)
  expect(await status('no-such-book')).toBe(404)
  expect(await shop.db.$count(libraryEntries, eq(libraryEntries.userId, buyer.user.id))).toBe(0)
})

test('API-73 MEMB-38: one credit is spent on an edition or a highlight, also with concurrent requests', async () => {
  const buyer = await aBuyer(shop)
  await giveCredit(buyer.user.id)
  await giveCredit(buyer.user.id)
  const edition = await anAudioBook(shop, { edition: true })
  const claim = (slug: string) => buyer.ask('POST', `/api/audio_books/add-to-library/${slug}`, {})
  const answers = await Promise.all([claim(edition.slug), claim(edition.slug), claim(edition.slug)])
  for (const answer of answers) {
    expect(answer.statusCode).toBe(200)
    expect(answer.json()).toMatchObject({ inLibrary: true, audioFiles: [{}, {}, {}] })
  }
  expect(await creditsLeft(buyer.user.id)).toBe(1)
})

test('a member with a credit can put the title into the bag instead, to buy or give it, and keeps the credit', async () => {
  const buyer = await aBuyer(shop)
  await giveCredit(buyer.user.id)
  const [own, given] = [
    await anAudioBook(shop, { edition: true }),
    await anAudioBook(shop, { edition: true }),
  ]
  const add = (slug: string, more: object = {}) =>
    buyer.ask('POST', '/api/cart_items', { audioBook: `/api/audio_books/${slug}`, ...more })
  expect((await add(own.slug)).json()).toMatchObject({ gift: false })
  expect((await add(given.slug, { gift: true })).json()).toMatchObject({ gift: true })
  const book = (await buyer.ask('GET', `/api/audio_books/${own.slug}`)).json()
  expect(book).toMatchObject({ moveToLibrary: true, inLibrary: false })
  expect(await creditsLeft(buyer.user.id)).toBe(1)
})

test('MEMB-38: nothing changes without a credit, or for a title that credits can’t be spent on', async () => {
  const buyer = await aBuyer(shop)
  const [one, two] = [
    await anAudioBook(shop, { secondEdition: true }),
    await anAudioBook(shop, { edition: true }),
  ]
  const plain = await anAudioBook(shop)
  const claim = (slug: string) => buyer.ask('POST', `/api/audio_books/add-to-library/${slug}`, {})
  expect((await claim(one.slug)).statusCode).toBe(422)
  await giveCredit(buyer.user.id)
  expect((await claim(plain.slug)).statusCode).toBe(422)
  expect(await creditsLeft(buyer.user.id)).toBe(1)
  const both = await Promise.all([claim(one.slug), claim(two.slug)])
  expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(await shop.db.$count(libraryEntries, eq(libraryEntries.userId, buyer.user.id))).toBe(1)
})

test('a title that was taken has one order of £0, without a receipt, an email or an entry among purchases', async () => {
  const buyer = await aBuyer(shop)
  await giveCredit(buyer.user.id)
  const [free, edition] = [
    await anAudioBook(shop, { priceMinor: 0 }),
    await anAudioBook(shop, { edition: true }),
  ]
  const take = (slug: string) => buyer.ask('POST', `/api/audio_books/add-to-library/${slug}`, {})
  for (const { slug } of [free, edition]) await Promise.all([take(slug), take(slug)])

  const own = await shop.db.select().from(orders).where(eq(orders.userId, buyer.user.id))
  expect(own.map(({ taken, state, totalMinor }) => `${taken} ${state} ${totalMinor}`).toSorted()).toEqual([
    'credit paid 0',
    'free paid 0',
  ])
  expect(own.map(({ waiverAt }) => waiverAt)).toEqual([null, null])
  const entries = await shop.db.select().from(libraryEntries).where(eq(libraryEntries.userId, buyer.user.id))
  expect(entries.map(({ source }) => source).toSorted()).toEqual(['credit', 'free'])
  expect((await buyer.ask('GET', '/api/order_carts')).json()['hydra:totalItems']).toBe(0)
  expect((await buyer.ask('GET', `/api/order_carts/${own[0]!.id}`)).statusCode).toBe(404)
  expect(await shop.db.$count(mails, eq(mails.recipient, buyer.user.email))).toBe(0)
})
