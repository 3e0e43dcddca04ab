import { BUY_NOW_CONSENT, buyNowConsent } from '#contract/messages-checkout.ts'
import { randomUUID } from 'node:crypto'
import { like } from 'drizzle-orm'
import { rateLimits } from '#server/db/schema/accounts.ts'
import { savedCards } from '#server/db/schema/membership.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { giveBook } from '#server/features/gifts/title-gifts.ts'
import { anAudioBook, anEBook } from '#tests/support/builders.ts'
import { aVisitor, everybody, get, holderOnly, ownerOnly, ownList, type SampleCall } from './sample-call.ts'
import type { World } from './world.ts'

type Payload = Record<string, unknown>
/** A call about an object that is created for it. */
const made = (
  statuses: SampleCall['statuses'],
  make: (world: World) => Promise<{ url: string; payload?: Payload }>,
): SampleCall => ({ statuses, request: make })

/** As the owner. */
const post = async (world: World, url: string, payload: Payload = {}) =>
  (await world.shop.app.inject({ method: 'POST', url, payload, headers: world.headersOf('owner') })).json()

/** Puts a new title into the owner's bag. */
async function itemOf(world: World): Promise<{ uuid: string; cart: string }> {
  const book = await anAudioBook(world.shop, { title: 'In the bag' })
  const item = await post(world, '/api/cart_items', { audioBook: `/api/audio_books/${book.slug}` })
  return { uuid: item.uuid, cart: item.cart.uuid }
}

const onBag = (path: string, payload?: Payload) => async (world: World) => {
  const { cart } = await itemOf(world)
  return { url: `/api/carts/${cart}${path}`, ...(payload ? { payload } : {}) }
}

async function guestBag({ shop }: World): Promise<string> {
  const book = await anAudioBook(shop)
  const payload = { audioBook: `/api/audio_books/${book.slug}` }
  return (await shop.app.inject({ method: 'POST', url: '/api/cart_items', payload })).json().cart.uuid
}

async function checkedOut(world: World) {
  const { cart } = await itemOf(world)
  return post(world, `/api/carts/${cart}/checkout`, { couponCode: null, waiver: true })
}

/** A gift that has been sent; returns its id and the token of its mail. */
async function giftTo(
  { shop }: World,
  email: string,
  format: 'audio_book' | 'e_book',
  giverId: string | null = null,
) {
  const book = await (format === 'audio_book' ? anAudioBook : anEBook)(shop)
  const id = await shop.db.transaction((tx) =>
    giveBook(tx, shop, {
      orderLineId: null,
      book: { id: book.id, title: 'A Gift', format },
      giver: { id: giverId, name: 'The shop' },
      email,
      message: null,
    }),
  )
  const [mail] = (await shop.app.inject(`/dev/mail.json?to=${encodeURIComponent(email)}`)).json()
  const link = (mail.links as string[]).find((address) => address.includes('token='))!
  return { id, token: new URL(link).searchParams.get('token')! }
}

/** A book that the owner gave. */
const givenBook = (path: string, statuses: SampleCall['statuses'], payload?: Record<string, unknown>) =>
  made(statuses, async (world) => {
    const { id } = await giftTo(world, 'a-friend@murmur.example', 'audio_book', world.owner.id)
    return { url: `/api/gifts/given/${id}${path}`, ...(payload ? { payload } : {}) }
  })

const seen = (kind: 'audio_books' | 'e_books' | 'gifts', format: 'audio_book' | 'e_book') =>
  made(everybody(200), async (world) => {
    const { token } = await giftTo(world, 'a-friend@murmur.example', format)
    return { url: `/api/${kind}/claim/${token}` }
  })
const claimed = (kind: 'audio_books' | 'e_books', format: 'audio_book' | 'e_book') =>
  made({ visitor: 401, owner: 200, stranger: 403, member: 403, outlet: 403 }, async (world) => {
    const { token } = await giftTo(world, world.owner.email, format)
    return { url: `/api/${kind}/claim/${token}` }
  })
const asked = (path: (world: World) => string) =>
  made(everybody(200), async (world) => {
    // Earlier checkouts used up the rate limit that this call shares.
    await world.shop.db.delete(rateLimits).where(like(rateLimits.key, 'owner question%'))
    return { url: path(world), payload: { email: 'nobody@murmur.example' } }
  })

async function savedCardOf({ shop, owner }: World): Promise<string> {
  const card = { userId: owner.id, methodId: 'pm_sample', brand: 'visa', last4: '4242' }
  const [saved] = await shop.db
    .insert(savedCards)
    .values({ ...card, expiresAt: new Date('2040-01-01'), usedAt: shop.clock.now() })
    .onConflictDoUpdate({
      target: [savedCards.userId, savedCards.brand, savedCards.last4, savedCards.expiresAt],
      set: { usedAt: shop.clock.now() },
    })
    .returning()
  return saved!.id
}

/** The calls of bag, codes, checkout, orders and gifts. */
export const PURCHASE_CALLS: Readonly<Record<string, SampleCall>> = {
  'POST /api/cart_items': made(everybody(201), async ({ shop }) => ({
    url: '/api/cart_items',
    payload: { eBook: `/api/e_books/${(await anEBook(shop)).slug}` },
  })),
  'PATCH /api/cart_items/{id}': made(holderOnly, async (world) => ({
    url: `/api/cart_items/${(await itemOf(world)).uuid}`,
    payload: { gift: true, giftEmail: 'a-friend@murmur.example', giftMessage: 'For you' },
  })),
  'PUT /api/cart_items/{id}': made(holderOnly, async (world) => ({
    url: `/api/cart_items/${(await itemOf(world)).uuid}`,
    payload: { gift: false },
  })),
  'DELETE /api/cart_items/{id}': made({ ...holderOnly, owner: 204 }, async (world) => ({
    url: `/api/cart_items/${(await itemOf(world)).uuid}`,
  })),
  'GET /api/carts/own': get(ownList, () => '/api/carts/own'),
  'GET /api/carts/{id}': made(holderOnly, onBag('')),
  'GET /api/carts/{id}/cart_items': made(holderOnly, onBag('/cart_items')),
  'GET /api/carts/{id}/availability': made(holderOnly, onBag('/availability')),
  'POST /api/carts/{id}/availability': made(holderOnly, onBag('/availability', { remove: 1 })),
  'PATCH /api/carts/{id}/apply-coupon': made(holderOnly, onBag('/apply-coupon', { couponCode: null })),
  'POST /api/carts/{id}/apply-user': made(ownerOnly, onBag('/apply-user')),
  'POST /api/users/{id}/cart-update': made(ownerOnly, async (world) => ({
    url: `/api/users/${world.owner.id}/cart-update`,
    payload: { cartUuid: (await itemOf(world)).cart },
  })),
  'POST /api/carts/{id}/register': made(everybody(200), async (world) => ({
    url: `/api/carts/${await guestBag(world)}/register`,
    payload: { ...aVisitor(), terms: true },
  })),
  'POST /api/carts/{id}/checkout': made(ownerOnly, onBag('/checkout', { couponCode: null, waiver: true })),
  'POST /api/payments/return': made(everybody(200), async (world) => {
    const { clientSecret } = await checkedOut(world)
    const paymentIntent = String(clientSecret).split('_secret_')[0]!
    return { url: '/api/payments/return', payload: { paymentIntent, clientSecret } }
  }),
  // No other account has the card; the fake provider pays with it.
  'POST /api/buy_now': made({ ...ownerOnly, stranger: 422, member: 422, outlet: 422 }, async (world) => ({
    url: '/api/buy_now',
    payload: {
      format: 'audio_book',
      slug: (await anAudioBook(world.shop, { priceMinor: 1100, memberPriceMinor: 1100 })).slug,
      amount: 11,
      paymentMethod: await savedCardOf(world),
      consent: BUY_NOW_CONSENT,
    },
  })),
  'POST /api/carts/{id}/buy_now': made({ ...ownerOnly, stranger: 404, member: 404 }, async (world) => {
    const { cart } = await itemOf(world)
    // Other calls put titles into this bag, too.
    const { sumCheckedForPayment: amount, items } = (
      await world.shop.app.inject({ url: '/api/carts/own', headers: world.headersOf('owner') })
    ).json()
    const gifts = (items as { gift: boolean }[]).filter(({ gift }) => gift).length
    const payload = {
      couponCode: null,
      amount,
      paymentMethod: await savedCardOf(world),
      consent: buyNowConsent({ own: items.length - gifts, gifts }),
    }
    return { url: `/api/carts/${cart}/buy_now`, payload }
  }),
  'POST /api/carts/{id}/buy_after_joining': made(
    { ...ownerOnly, owner: 404, stranger: 404, member: 404 },
    async (world) => ({
      url: `/api/carts/${(await itemOf(world)).cart}/buy_after_joining`,
      payload: { subscription: randomUUID(), amount: 11 },
    }),
  ),
  'GET /api/payment_methods': get(ownList, () => '/api/payment_methods'),
  'DELETE /api/payment_methods/{id}': made({ ...ownerOnly, owner: 204 }, async (world) => ({
    url: `/api/payment_methods/${await savedCardOf(world)}`,
  })),
  'GET /api/refunds': get(ownList, () => '/api/refunds'),
  'GET /api/order_carts': get(ownList, () => '/api/order_carts'),
  'GET /api/order_carts/{id}': made(ownerOnly, async (world) => ({
    url: `/api/order_carts/${(await checkedOut(world)).order}`,
  })),
  'GET /api/discounts/{code}': made(everybody(200), async ({ shop }) => {
    await shop.db.insert(discounts).values({ code: 'SAMPLE', type: 'all', percent: 10 }).onConflictDoNothing()
    return { url: '/api/discounts/sample' }
  }),
  'POST /api/audio_books/add-to-library/{id}': made(ownList, async ({ shop }) => ({
    url: `/api/audio_books/add-to-library/${(await anAudioBook(shop, { priceMinor: 0 })).slug}`,
    payload: {},
  })),
  'POST /api/e_books/add-to-library/{id}': made(ownList, async ({ shop }) => ({
    url: `/api/e_books/add-to-library/${(await anEBook(shop, { priceMinor: 0 })).slug}`,
    payload: {},
  })),
  'POST /api/audio_books/{id}/purchased': asked(
    ({ audioBook }) => `/api/audio_books/${audioBook.slug}/purchased`,
  ),
  'POST /api/e_books/{id}/purchased': asked(({ eBook }) => `/api/e_books/${eBook.slug}/purchased`),
  'GET /api/audio_books/claim/{token}': seen('audio_books', 'audio_book'),
  'GET /api/e_books/claim/{token}': seen('e_books', 'e_book'),
  'GET /api/gifts/claim/{token}': seen('gifts', 'e_book'),
  'POST /api/audio_books/claim/{token}': claimed('audio_books', 'audio_book'),
  'POST /api/e_books/claim/{token}': claimed('e_books', 'e_book'),
  'GET /api/gifts': get(ownList, () => '/api/gifts'),
  'GET /api/gifts/given': get(ownList, () => '/api/gifts/given'),
  'PATCH /api/gifts/given/{id}': givenBook('', ownerOnly, { giftMessage: 'For you' }),
  'POST /api/gifts/given/{id}/send-again': givenBook('/send-again', ownerOnly),
  'POST /api/gifts/given/{id}/card': givenBook('/card', ownerOnly),
  // The gift was free, so there is nothing to refund.
  'POST /api/gifts/given/{id}/take-back': givenBook('/take-back', { ...everybody(404), visitor: 401 }),
  'POST /api/gifts/{id}/claim': made(ownerOnly, async (world) => ({
    url: `/api/gifts/${(await giftTo(world, world.owner.email, 'audio_book')).id}/claim`,
  })),
  'POST /api/gifts/{id}/thanks': made({ ...everybody(404), visitor: 401 }, async () => ({
    url: '/api/gifts/00000000-0000-4000-8000-000000000000/thanks',
    payload: { message: 'Thank you' },
  })),
}
