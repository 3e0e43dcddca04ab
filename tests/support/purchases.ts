import type { InjectOptions } from 'fastify'
import { type FakePayments, fakePayments } from './fake-payments.ts'
import { anAudioBook, anEBook, aUser, signedIn, type TestBook, type TestUser } from './builders.ts'
import { testShop, type TestShop } from './shop.ts'

export interface PayingShop {
  readonly shop: TestShop
  readonly payments: FakePayments
}

/** A whole shop with a payment provider that the test controls. */
export async function payingShop(more: Parameters<typeof testShop>[0] = {}): Promise<PayingShop> {
  const payments = fakePayments()
  const shop = await testShop({ env: { DEMO: '1' }, ...more, payments })
  return { shop, payments }
}

export interface Buyer {
  readonly user: TestUser
  readonly headers: { xtoken: string }
  ask(method: NonNullable<InjectOptions['method']>, url: string, payload?: object): Promise<Answer>
}
type Answer = Awaited<ReturnType<TestShop['app']['inject']>>

export async function aBuyer(shop: TestShop, given: Parameters<typeof aUser>[1] = {}): Promise<Buyer> {
  const user = await aUser(shop, given)
  const headers = await signedIn(shop, user)
  return {
    user,
    headers,
    ask: async (method, url, payload) => {
      // Advance the clock, so that later requests have later timestamps.
      shop.clock.advance(1)
      return shop.app.inject({ method, url, headers, ...(payload ? { payload } : {}) })
    },
  }
}

/** Puts titles into a buyer's bag; returns the bag's id. */
export async function fillBag(
  buyer: Pick<Buyer, 'ask'>,
  titles: readonly {
    readonly slug: string
    readonly kind: 'audio_books' | 'e_books'
    readonly giftEmail?: string
    readonly giftDeliveryDate?: string
    readonly giftTimeZone?: string
  }[],
): Promise<string> {
  let cart = ''
  for (const { slug, kind, giftEmail, giftDeliveryDate, giftTimeZone } of titles) {
    const answer = await buyer.ask('POST', '/api/cart_items', {
      [kind === 'audio_books' ? 'audioBook' : 'eBook']: `/api/${kind}/${slug}`,
      ...(giftEmail ? { gift: true, giftEmail } : {}),
      ...(giftDeliveryDate ? { giftDeliveryDate } : {}),
      ...(giftTimeZone ? { giftTimeZone } : {}),
    })
    if (answer.statusCode !== 201) throw new Error(`${slug}: ${answer.body}`)
    cart = answer.json().cart.uuid
  }
  return cart
}

/** One audiobook at £12.00 and one e-book at £5.99. */
export async function twoTitles(shop: TestShop): Promise<{ audioBook: TestBook; eBook: TestBook }> {
  return {
    audioBook: await anAudioBook(shop, { priceMinor: 1200, title: 'An Audiobook' }),
    eBook: await anEBook(shop, { priceMinor: 599, title: 'An E-Book' }),
  }
}

export interface CheckoutStarted {
  readonly order: string
  readonly clientSecret: string
  /** The id of the provider's payment. */
  readonly intent: string
}

/** Checks a bag out; the response of an order that needs no payment has no secret. */
export async function checkOut(
  buyer: Pick<Buyer, 'ask'>,
  cart: string,
  couponCode: string | null = null,
): Promise<CheckoutStarted> {
  const answer = await buyer.ask('POST', `/api/carts/${cart}/checkout`, { couponCode, waiver: true })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  const { order, clientSecret } = answer.json()
  return { order, clientSecret, intent: clientSecret?.split('_secret_')[0] }
}

/** The return page's request after the payment. */
export const comeBack = (buyer: Pick<Buyer, 'ask'>, { intent, clientSecret }: CheckoutStarted) =>
  buyer.ask('POST', '/api/payments/return', { paymentIntent: intent, clientSecret })

/** Delivers the provider's webhook. */
export const hearOf = ({ shop, payments }: PayingShop, intent: string | null, id?: string, type?: string) =>
  shop.app.inject({ method: 'POST', url: '/api/webhooks/stripe', ...payments.webhook(intent, type, id) })
