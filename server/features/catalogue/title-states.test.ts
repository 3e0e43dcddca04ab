import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type BookCard, getAudioBook } from '#contract/catalogue.ts'
import { cartItems } from '#server/db/schema/bag.ts'
import { books, type State } from '#server/db/schema/catalogue.ts'
import { credits } from '#server/db/schema/membership.ts'
import { refreshSearch } from '#server/features/search/refresh.ts'
import { aBuyer, type Buyer, checkOut, fillBag, payingShop } from '#tests/support/purchases.ts'
import { anAudioBook, anEBook, inLibrary } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import type { TestShop } from '#tests/support/shop.ts'
import { deleteTitle, setState } from './title-states.ts'

let shop: TestShop
let owner: Buyer
beforeAll(async () => {
  shop = (await payingShop()).shop
  owner = await aBuyer(shop)
  for (const state of ['draft', 'listed', 'on-sale', 'retired'] satisfies State[]) {
    const book = await anAudioBook(shop, { slug: state, title: `Tidemark ${state}`, state, edition: true })
    await inLibrary(shop, owner.user, book)
  }
  await anAudioBook(shop, { slug: 'no-sound', title: 'Tidemark silent', deliverable: false })
  await anAudioBook(shop, {
    slug: 'to-come',
    title: 'Tidemark later',
    deliverable: false,
    preorder: '2027-03-01',
  })
  await refreshSearch(shop.db)
})
afterAll(() => shop.close())

async function titlesAt(url: string): Promise<string[]> {
  const answer = (await shop.app.inject(url)).json()
  return answer['hydra:member'].map(({ slug }: BookCard) => slug).sort()
}

test('drafts and retired titles are in no list, search result, sitemap or feed', async () => {
  const listed = ['listed', 'no-sound', 'on-sale', 'to-come']
  expect(await titlesAt('/api/audio_books?itemsPerPage=100')).toEqual(listed)
  expect(await titlesAt('/api/audio_books?edition=true')).toEqual(['listed', 'on-sale'])
  expect(await titlesAt('/api/audio_books/latest')).toEqual(['on-sale'])
  expect(await titlesAt('/api/search_books?keyword=tidemark')).toEqual(['on-sale', 'to-come'])
  const sitemap = await Promise.all(
    ['/sitemaps/books-1.xml', '/opds/audiobooks'].map((url) => shop.app.inject(url)),
  )
  for (const { body } of sitemap)
    for (const gone of ['draft', 'retired']) expect(body).not.toContain(`/${gone}`)
})

test('a draft has no page, a retired title has one that says so, and their owners can see both', async () => {
  const page = async (slug: string, who?: Buyer) => {
    const url = `/api/audio_books/${slug}`
    const answer = await (who ? who.ask('GET', url) : shop.app.inject(url))
    return answer.statusCode === 200 ? answer.json() : answer.statusCode
  }
  expect(await page('draft')).toBe(404)
  expect((await shop.app.inject('/api/audio_books/draft/tag_related')).statusCode).toBe(404)
  expect(misfits(getAudioBook.reply, await page('retired'))).toEqual([])
  expect(await page('retired')).toMatchObject({ retired: true, published: false })
  expect(await page('listed')).toMatchObject({ retired: false, published: false, preorder: null })
  expect(await page('on-sale')).toMatchObject({ retired: false, published: true, sampleOnly: false })
  expect(await page('to-come')).toMatchObject({ published: false, preorder: '2027-03-01' })
  for (const slug of ['draft', 'retired']) {
    const own = await page(slug, owner)
    expect(own).toMatchObject({ inLibrary: true, published: false })
    expect(own.audioFiles).toHaveLength(3)
    expect(own.download).toMatch(/^\/media\/zip\//)
  }
  expect((await owner.ask('GET', '/api/libraries')).json()['hydra:totalItems']).toBe(4)
})

test('only titles that are on sale and can be delivered can be bought, given, claimed or taken', async () => {
  const buyer = await aBuyer(shop)
  await shop.db.insert(credits).values({ userId: buyer.user.id, usableUntil: new Date('2027-01-01') })
  const statusOf = async (slug: string, more: object = {}) =>
    (await buyer.ask('POST', '/api/cart_items', { audioBook: `/api/audio_books/${slug}`, ...more }))
      .statusCode
  for (const slug of ['listed', 'retired', 'no-sound', 'to-come']) {
    expect([slug, await statusOf(slug)]).toEqual([slug, 422])
    expect([slug, await statusOf(slug, { gift: true, giftEmail: 'a@murmur.example' })]).toEqual([slug, 422])
    const claimed = await buyer.ask('POST', `/api/audio_books/add-to-library/${slug}`, {})
    expect([slug, claimed.statusCode]).toEqual([slug, 422])
  }
  expect(await statusOf('draft')).toBe(404)
  expect(await statusOf('on-sale')).toBe(201)
})

test('the bag shows that a title is no longer on sale, and the checkout refuses it', async () => {
  const buyer = await aBuyer(shop)
  const book = await anAudioBook(shop, { priceMinor: 1200 })
  const cart = await fillBag(buyer, [{ ...book, kind: 'audio_books' }])
  await setState(shop.db, { slug: book.slug }, 'retired')
  const [item] = (await buyer.ask('GET', `/api/carts/${cart}`)).json().items
  expect(item).toMatchObject({ available: false })
  await expect(checkOut(buyer, cart)).rejects.toThrow(/no longer available/)
})

test('a command holds a title back against its file, and can release it again', async () => {
  const book = await anAudioBook(shop)
  const sold = async () =>
    (await shop.db.select({ sellable: books.sellable }).from(books).where(eq(books.id, book.id)))[0]!.sellable
  await setState(shop.db, book, 'listed')
  expect(await sold()).toBe(false)
  await setState(shop.db, book, 'draft')
  expect(await sold()).toBeNull()
  expect(await setState(shop.db, book, 'on-sale')).toMatchObject([{ lacks: [] }])
  expect(await sold()).toBe(true)
  const bare = await anAudioBook(shop, { deliverable: false, published: false })
  expect(await setState(shop.db, bare, 'on-sale')).toMatchObject([
    { lacks: ['it has no price', 'it has no sound or text'] },
  ])
  await expect(setState(shop.db, { slug: 'nowhere' }, 'draft')).rejects.toThrow('There is no title nowhere.')
  await expect(setState(shop.db, { slug: 'on-sale' }, 'draft')).rejects.toThrow(/cannot be a draft again/)
})

test('deletes a title without owners, and removes it from bags; never one that is owned or ordered', async () => {
  const buyer = await aBuyer(shop)
  const slug = 'to-delete'
  const audio = await anAudioBook(shop, { slug, priceMinor: 1200 })
  await anEBook(shop, { slug })
  await fillBag(buyer, [{ ...audio, kind: 'audio_books' }])
  expect(await deleteTitle(shop.db, { slug, format: 'e_book' })).toHaveLength(1)
  expect(await deleteTitle(shop.db, { slug })).toHaveLength(1)
  expect(await shop.db.$count(cartItems, eq(cartItems.bookId, audio.id))).toBe(0)
  await expect(deleteTitle(shop.db, { slug })).rejects.toThrow('There is no title to-delete.')
  await expect(deleteTitle(shop.db, { slug: 'retired' })).rejects.toThrow(/so it stays/)
  const ordered = await anAudioBook(shop, { priceMinor: 1200 })
  await checkOut(buyer, await fillBag(buyer, [{ ...ordered, kind: 'audio_books' }]))
  await expect(deleteTitle(shop.db, ordered)).rejects.toThrow(/so it stays/)
})
