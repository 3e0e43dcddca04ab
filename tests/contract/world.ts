import { randomUUID } from 'node:crypto'
import { publishers } from '#server/db/schema/catalogue.ts'
import { editorialItems } from '#server/db/schema/editorial.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { infoPages } from '#server/db/schema/pages.ts'
import { aPerson, aSeries, linked } from '#tests/support/catalogue-builders.ts'
import {
  anAudioBook,
  anEBook,
  aUser,
  inLibrary,
  signedIn,
  type TestBook,
  type TestUser,
} from '#tests/support/builders.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { type FakePayments, fakePayments } from '#tests/support/fake-payments.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

/** The member is another stranger with a monthly membership, so has no access to the owner's objects either. */
export const CALLERS = ['visitor', 'owner', 'stranger', 'member', 'outlet'] as const
export type CallerName = (typeof CALLERS)[number]

/**
 * A stocked shop with one account of each kind. The owner has the books and a place in one; the others have nothing.
 */
export interface World {
  readonly shop: TestShop
  /** The shop's payment provider, in memory. */
  readonly payments: FakePayments
  /** With a confirmed address. */
  readonly owner: TestUser
  readonly audioBook: TestBook
  readonly eBook: TestBook
  /** Ids of the owner's rows. */
  readonly bookTimeId: string
  readonly chapterTimeId: string
  readonly bookmarkId: string
  headersOf(caller: CallerName): Record<string, string>
  freshRefreshToken(): Promise<string>
  readonly highlightId: string
  freshHighlight(): Promise<string>
  freshBookmark(): Promise<string>
  /** Logs the owner in from another browser. */
  otherDevice(): Promise<{ id: string }>
}

export async function buildWorld(): Promise<World> {
  const payments = fakePayments()
  const shop = await testShop({ env: { DEMO: '1' }, payments, billing: fakeBilling() })
  const owner = await aUser(shop, {
    email: 'owner@murmur.example',
    countryCode: 'GB',
    confirmedAt: shop.now(),
  })
  const stranger = await aUser(shop, { email: 'stranger@murmur.example' })
  const member = await aUser(shop, { email: 'member@murmur.example' })
  await shop.db.insert(subscriptions).values({
    userId: member.id,
    plan: 2,
    status: 'active',
    periodStart: shop.clock.now(),
    periodEnd: new Date('2030-01-01'),
    validUntil: new Date('2030-01-01'),
  })
  const outlet = await aUser(shop, { email: 'outlet@murmur.example', outlet: 'Corner House Books' })
  const eBook = await anEBook(shop, { slug: 'an-e-book' })
  const audioBook = await anAudioBook(shop, {
    slug: 'an-audiobook',
    counterpartId: eBook.id,
    secondEdition: true,
  })
  await shop.db.insert(publishers).values({ slug: 'a-publisher', name: 'A Publisher' })
  await aSeries(shop, 'A Series', [{ books: [audioBook, eBook], number: '1' }])
  await linked(shop, audioBook, { authors: [await aPerson(shop, 'Ada', 'Reed')] })
  await shop.db.insert(infoPages).values({ slug: 'a-page', title: 'A page', content: '<p>Text</p>' })
  const written = [
    { kind: 'article', slug: 'an-article' },
    { kind: 'interview', slug: 'an-interview' },
    { kind: 'discussion', slug: 'a-discussion', seats: 500, startsAt: new Date('2035-11-29T17:00:00Z') },
  ] as const
  for (const item of written)
    await shop.db.insert(editorialItems).values({ ...item, title: 'Written', publishedAt: shop.now() })
  await inLibrary(shop, owner, audioBook)
  await inLibrary(shop, owner, eBook)
  const headers: Record<CallerName, Record<string, string>> = {
    visitor: {},
    owner: { ...(await signedIn(shop, owner)) },
    stranger: { ...(await signedIn(shop, stranger)) },
    member: { ...(await signedIn(shop, member)) },
    outlet: { ...(await signedIn(shop, outlet)) },
  }
  const place = { audioBook: `/api/audio_books/${audioBook.slug}`, chapter: 1, seconds: 30 }
  const reading = { eBook: `/api/e_books/${eBook.slug}`, locator: 'epubcfi(/6/2)', share: 0 }
  const keep = async (url: string, payload: object = place): Promise<string> =>
    (await shop.app.inject({ method: 'POST', url, payload, headers: headers.owner })).json().id
  const freshBookmark = () => keep('/api/user_bookmarks', { ...place, id: randomUUID(), note: 'A note' })
  const words = { ...reading, quote: 'Marked words', chapter: 'One', note: 'A note' }
  const freshHighlight = () => keep('/api/user_highlights', { ...words, id: randomUUID() })
  await keep('/api/user_e_book_places', reading)
  return {
    shop,
    payments,
    owner,
    audioBook,
    eBook,
    bookTimeId: await keep('/api/user_audio_book_times'),
    chapterTimeId: await keep('/api/user_chapter_times'),
    bookmarkId: await freshBookmark(),
    freshBookmark,
    highlightId: await freshHighlight(),
    freshHighlight,
    headersOf: (caller) => headers[caller],
    async freshRefreshToken() {
      const payload = { email: owner.email, password: owner.password }
      const answer = await shop.app.inject({ method: 'POST', url: '/api/login', payload })
      return answer.json().refresh_token
    },
    async otherDevice() {
      const device = { id: randomUUID(), browser: 'Chrome on Android' }
      const payload = { email: owner.email, password: owner.password, device }
      await shop.app.inject({ method: 'POST', url: '/api/login', payload })
      return device
    },
  }
}
