import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { registerCart } from '#contract/bag.ts'
import { checkoutCart, returnFromPayment } from '#contract/checkout.ts'
import { getOrder } from '#contract/orders.ts'
import type { Db } from '#server/db/open.ts'
import { users } from '#server/db/schema/accounts.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { orders, payments } from '#server/db/schema/orders.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  hearOf,
  payingShop,
  type PayingShop,
  twoTitles,
} from '#tests/support/purchases.ts'
import { anAudioBook, inLibrary } from '#tests/support/builders.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { createOrder, type Basket } from '../orders/service.ts'
import { titleSource } from './buy-now.ts'
import { checkOut as checkOutAgain } from './service.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterAll(() => at.shop.close())

const libraryOf = async (userId: string) =>
  (await at.shop.db.select().from(libraryEntries).where(eq(libraryEntries.userId, userId))).map(
    ({ bookId }) => bookId,
  )

test('API-65 BAG-08: a bag becomes an order, a payment and library entries', async () => {
  const buyer = await aBuyer(at.shop)
  const { audioBook, eBook } = await twoTitles(at.shop)
  const cart = await fillBag(buyer, [
    { slug: audioBook.slug, kind: 'audio_books' },
    { slug: eBook.slug, kind: 'e_books' },
  ])
  const answer = await buyer.ask('POST', `/api/carts/${cart}/checkout`, {
    couponCode: null,
    amount: 17.99,
    waiver: true,
  })
  expect(misfits(checkoutCart.reply, answer.json())).toEqual([])
  expect(answer.json()).toMatchObject({ success: true, amount: 17.99, url: null })
  const { order, clientSecret } = answer.json()
  const intent = clientSecret.split('_secret_')[0]
  expect(at.payments.made.get(intent)).toMatchObject({ amountMinor: 1799, metadata: { order } })
  expect((await buyer.ask('GET', `/api/order_carts/${order}`)).json().status).toBe('awaiting_payment')

  at.payments.pay(intent)
  const back = await comeBack(buyer, { order, clientSecret, intent })
  expect(misfits(returnFromPayment.reply, back.json())).toEqual([])
  expect(back.json()).toEqual({ outcome: 'paid', order })
  const receipt = (await buyer.ask('GET', `/api/order_carts/${order}`)).json()
  expect(misfits(getOrder.reply, receipt)).toEqual([])
  expect(receipt).toMatchObject({
    status: 'paid',
    amount: 17.99,
    sumVat: 2,
    sumNet: 15.99,
    transactions: [{ id: intent, last4: '4242', type: 'card' }],
    orderItems: [
      {
        price: 12,
        vat: 2,
        vatPercent: 20,
        audioBook: { slug: audioBook.slug, inLibrary: true },
        eBook: null,
      },
      { price: 5.99, vat: 0, vatPercent: 0, audioBook: null, eBook: { slug: eBook.slug } },
    ],
  })
  expect(new Set(await libraryOf(buyer.user.id))).toEqual(new Set([audioBook.id, eBook.id]))
  expect((await buyer.ask('GET', `/api/carts/${cart}`)).json()).toMatchObject({
    itemCount: 0,
    sumCheckedForPayment: 0,
  })
  expect(await at.shop.db.$count(mails, eq(mails.key, `order_confirmed:${order}`))).toBe(1)
})

test('the webhook alone settles an order', async () => {
  const buyer = await aBuyer(at.shop)
  const { audioBook } = await twoTitles(at.shop)
  const cart = await fillBag(buyer, [{ slug: audioBook.slug, kind: 'audio_books' }])
  const till = await checkOut(buyer, cart)
  at.payments.pay(till.intent, { method: 'paypal' })
  const heard = await hearOf(at, till.intent)
  expect([heard.statusCode, heard.json()]).toEqual([200, { received: true }])
  expect((await buyer.ask('GET', `/api/order_carts/${till.order}`)).json()).toMatchObject({
    status: 'paid',
    transactions: [{ type: 'paypal', last4: null }],
  })
  expect(await libraryOf(buyer.user.id)).toEqual([audioBook.id])
  expect(await at.shop.db.$count(orders, eq(orders.userId, buyer.user.id))).toBe(1)
})

const audio = async (fields: Parameters<typeof anAudioBook>[1] = {}) => ({
  ...(await anAudioBook(at.shop, { priceMinor: 1200, ...fields })),
  kind: 'audio_books' as const,
})
const pay = (buyer: Pick<Buyer, 'ask'>, cart: string, more: object = {}) =>
  buyer.ask('POST', `/api/carts/${cart}/checkout`, { couponCode: null, waiver: true, ...more })
const told = async (answer: ReturnType<Buyer['ask']>) => {
  const { statusCode, json } = await answer
  return [statusCode, json().message]
}

test('ROLE-27 BAG-08: a member pays the member price; after the membership, or without payment, the full price', async () => {
  const day = 24 * 3_600_000
  const inDays = (days: number) => new Date(at.shop.now().getTime() + days * day)
  const period = { plan: 4 as const, periodStart: inDays(-10), periodEnd: inDays(20), validUntil: inDays(20) }
  const charged = async (membership: Partial<typeof subscriptions.$inferInsert> | null) => {
    const buyer = await aBuyer(at.shop)
    if (membership)
      await at.shop.db
        .insert(subscriptions)
        .values({ userId: buyer.user.id, status: 'active', ...period, ...membership })
    const { intent } = await checkOut(buyer, await fillBag(buyer, [await audio()]))
    return at.payments.made.get(intent)!.amountMinor
  }
  expect(await charged(null)).toBe(1200)
  expect(await charged({})).toBe(960)
  expect(await charged({ status: 'trialing' })).toBe(960)
  expect(await charged({ status: 'past_due', paymentFailedAt: inDays(-6) })).toBe(960)
  expect(await charged({ status: 'past_due', paymentFailedAt: inDays(-8) })).toBe(1200)
  expect(await charged({ validUntil: inDays(-1) })).toBe(1200)
  expect(await charged({ status: 'canceled' })).toBe(1200)
})

test('API-67: a visitor registers on payment, and pays for the bag that was filled before', async () => {
  const book = await audio()
  const payload = { audioBook: `/api/audio_books/${book.slug}` }
  const { cart } = (await at.shop.app.inject({ method: 'POST', url: '/api/cart_items', payload })).json()
  const person = {
    email: 'una.reed@post.example',
    password: 'eight-it-is',
    firstName: 'Una',
    lastName: 'Reed',
    countryCode: 'GB',
    terms: true,
  }
  const register = (url: string) => at.shop.app.inject({ method: 'POST', url, payload: person })
  const registered = await register(`/api/carts/${cart.uuid}/register`)
  expect(misfits(registerCart.reply, registered.json())).toEqual([])
  const headers = { xtoken: `Bearer ${registered.json().token}` }
  const una: Pick<Buyer, 'ask'> = {
    ask: async (method, url, body) =>
      at.shop.app.inject({ method, url, headers, ...(body ? { payload: body } : {}) }),
  }
  const [account] = await at.shop.db.select().from(users).where(eq(users.email, person.email))
  expect(account).toMatchObject({ newsletter: false, countryCode: 'GB' })
  expect((await una.ask('GET', '/api/logged-user')).json()).toMatchObject({ cart: { uuid: cart.uuid } })
  const till = await checkOut(una, cart.uuid)
  at.payments.pay(till.intent)
  expect((await comeBack(una, till)).json().outcome).toBe('paid')
  expect((await una.ask('GET', '/api/libraries')).json()['hydra:totalItems']).toBe(1)

  const second = (await at.shop.app.inject({ method: 'POST', url: '/api/cart_items', payload })).json().cart
    .uuid
  const refused = await register(`/api/carts/${second}/register`)
  expect(refused.statusCode).toBe(422)
  expect(refused.json().description).toContain('already taken')
  expect((await at.shop.app.inject(`/api/carts/${second}`)).json().itemCount).toBe(1)
})

test('a visitor who registers with another user’s bag gets neither bag nor account', async () => {
  const buyer = await aBuyer(at.shop)
  const cart = await fillBag(buyer, [await audio()])
  const email = 'not.me@post.example'
  const person = {
    password: 'eight-it-is',
    firstName: 'Una',
    lastName: 'Reed',
    countryCode: 'GB',
    terms: true,
  }
  const answer = await at.shop.app.inject({
    method: 'POST',
    url: `/api/carts/${cart}/register`,
    payload: { ...person, email },
  })
  expect(answer.statusCode).toBe(404)
  expect(await at.shop.db.$count(users, eq(users.email, email))).toBe(0)
})

test('PAY-28: a refused payment gives its reason in the terms of the API, and one that was not refused gives none', async () => {
  const buyer = await aBuyer(at.shop)
  const till = await checkOut(buyer, await fillBag(buyer, [await audio()]))
  const said = async () => (await comeBack(buyer, till)).json()
  expect(await said()).toEqual({ outcome: 'open', order: till.order })
  for (const [why, refusal] of [
    [{}, 'declined'],
    [{ declineCode: 'insufficient_funds' }, 'insufficient_funds'],
    [{ code: 'expired_card', declineCode: null }, 'expired_card'],
    [{ code: 'incorrect_cvc', declineCode: null }, 'wrong_cvc'],
    [{ code: 'payment_intent_authentication_failure', declineCode: null }, 'not_authenticated'],
    [{ code: 'payment_intent_payment_attempt_failed', declineCode: null }, 'not_approved'],
  ] as const) {
    at.payments.decline(till.intent, why)
    expect(await said()).toEqual({ outcome: 'refused', order: till.order, refusal })
  }
  at.payments.pay(till.intent)
  expect(await said()).toEqual({ outcome: 'paid', order: till.order })

  const given = await checkOut(buyer, await fillBag(buyer, [await audio()]))
  const came = async () => (await comeBack(buyer, given)).json()
  at.payments.decline(given.intent)
  at.payments.keepPending(given.intent)
  expect(await came()).toEqual({ outcome: 'checking', order: given.order })
})

test('trap 23: a payment made in another browser shows where it was bought', async () => {
  const app = await aBuyer(at.shop)
  const till = await checkOut(app, await fillBag(app, [await audio()]))
  // PayPal returns to the phone's browser, which has no session, only the payment's secret.
  const browser: Pick<Buyer, 'ask'> = {
    ask: async (method, url, payload) => at.shop.app.inject({ method, url, payload: payload ?? {} }),
  }
  at.payments.pay(till.intent, { method: 'paypal' })
  expect((await comeBack(browser, till)).json()).toEqual({ outcome: 'paid', order: null })
  expect((await app.ask('GET', `/api/order_carts/${till.order}`)).json().status).toBe('paid')
  expect((await app.ask('GET', '/api/carts/own')).json().itemCount).toBe(0)
})

test('ENT-18 ENT-19: the buyer is charged what was shown, or nothing', async () => {
  const buyer = await aBuyer(at.shop)
  const book = await audio()
  const cart = await fillBag(buyer, [book])
  expect(await told(pay(buyer, cart, { amount: 11.99 }))).toEqual([409, 'The total has changed'])
  expect(await told(pay(buyer, cart, { couponCode: 'NOSUCHCODE' }))).toEqual([
    422,
    'This discount code is not valid',
  ])
  expect((await pay(buyer, cart, { waiver: false })).statusCode).toBe(422)
  await at.shop.db.update(books).set({ published: false }).where(eq(books.id, book.id))
  expect((await pay(buyer, cart)).statusCode).toBe(409)
  await at.shop.db.update(books).set({ published: true, priceMinor: 1300 }).where(eq(books.id, book.id))
  expect((await pay(buyer, cart, { amount: 12 })).json()).toMatchObject({
    status: 409,
    message: 'The total has changed',
    reason: 'total_changed',
  })
  expect(await at.shop.db.$count(orders, eq(orders.userId, buyer.user.id))).toBe(0)
  expect((await pay(buyer, cart, { amount: 13 })).statusCode).toBe(200)
  expect((await pay(buyer, await fillBag(await aBuyer(at.shop), [await audio()]))).statusCode).toBe(404)
  expect(
    (await pay(await aBuyer(at.shop), (await buyer.ask('GET', '/api/carts/own')).json().uuid)).statusCode,
  ).toBe(404)
})

test('a gift needs an address, and its recipient must not have the book', async () => {
  const [buyer, owner] = [await aBuyer(at.shop), await aBuyer(at.shop)]
  const book = await audio()
  const cart = await fillBag(buyer, [book])
  const { items } = (await buyer.ask('GET', `/api/carts/${cart}`)).json()
  const makeGift = (giftEmail: string | null) =>
    buyer.ask('PATCH', `/api/cart_items/${items[0].uuid}`, { gift: true, giftEmail })
  await makeGift(null)
  expect((await told(pay(buyer, cart)))[1]).toContain('Invalid email')
  await inLibrary(at.shop, owner.user, book)
  await makeGift(owner.user.email.toUpperCase())
  expect((await told(pay(buyer, cart)))[1]).toContain('Already have this book')
  const statuses = new Set<number>()
  for (let guess = 0; guess < 10; guess++) statuses.add((await pay(buyer, cart)).statusCode)
  expect(statuses).toEqual(new Set([422, 429]))
  // After the limit is reached, the checkout hides the owners of a book too.
  await makeGift('a.friend@post.example')
  expect((await pay(buyer, cart)).statusCode).toBe(429)
  at.shop.clock.advance(60)
  expect((await pay(buyer, cart)).statusCode).toBe(200)
})

test('asking if an address owns a book and checking out a gift share one limit', async () => {
  const [guesser, owner] = [await aBuyer(at.shop), await aBuyer(at.shop)]
  const book = await audio()
  await inLibrary(at.shop, owner.user, book)
  const cart = await fillBag(guesser, [{ ...book, giftEmail: owner.user.email }])
  for (let question = 0; question < 10; question++)
    await guesser.ask('POST', `/api/audio_books/${book.slug}/purchased`, { email: 'who@post.example' })
  const { items } = (await guesser.ask('GET', `/api/carts/${cart}`)).json()
  for (const giftEmail of [owner.user.email, 'a.friend@post.example']) {
    await guesser.ask('PATCH', `/api/cart_items/${items[0].uuid}`, { gift: true, giftEmail })
    expect((await pay(guesser, cart)).statusCode).toBe(429)
  }
  await guesser.ask('PATCH', `/api/cart_items/${items[0].uuid}`, { gift: false })
  expect((await pay(guesser, cart)).statusCode).toBe(200)
})

test('a checkout gives up after the bag has changed three times', async () => {
  const buyer = await aBuyer(at.shop)
  const book = await audio()
  const basketOf = (priceMinor: number): Basket => ({
    lines: [
      {
        sold: { kind: 'title', bookId: book.id, format: 'audio_book' },
        title: 'Salt Road Letters',
        originalMinor: priceMinor,
        priceMinor,
        vatPercent: 20,
        vatMinor: 0,
        reduced: false,
        gift: null,
        itemId: null,
      },
    ],
    totalMinor: priceMinor,
    vatMinor: 0,
    beforeMinor: priceMinor,
    code: null,
    refusal: null,
    hasUnknownCode: false,
  })
  let looks = 0
  const source = { kind: 'cart', id: randomUUID(), buyer: { userId: buyer.user.id, country: 'GB' } } as const
  const changing = {
    ...source,
    hold: async (tx: Db) => {
      looks += 1
      await createOrder(tx, {
        basket: basketOf(500 + looks),
        source,
        buyer: source.buyer,
        waiver: true,
        now: at.shop.clock.now(),
      })
    },
    open: () => Promise.resolve(basketOf(1200)),
    sendsGifts: () => Promise.resolve(false),
  }
  const wish = {
    address: '192.0.2.1',
    code: null,
    shownMinor: undefined,
    waiver: true,
    isProved: async () => true,
  }
  await expect(checkOutAgain(at.shop, changing, wish)).rejects.toThrow('Your bag has changed')
  expect(looks).toBe(3)
})

test('paying: a payment that is settled while another press reads the title makes no second order', async () => {
  const buyer = await aBuyer(at.shop)
  const book = await audio()
  const wish = {
    address: '192.0.2.1',
    code: null,
    shownMinor: undefined,
    waiver: true,
    isProved: async () => true,
  }
  const own = { userId: buyer.user.id, countries: ['GB'] as const }
  const source = await titleSource(at.shop, own, 'audio_book', book.slug)
  const { order, clientSecret } = await checkOutAgain(at.shop, source, wish)
  const intent = clientSecret!.split('_secret_')[0]!
  let isPaid = false
  const meanwhile = {
    ...source,
    open: async (db: Db) => {
      const basket = await source.open(db)
      if (!isPaid) {
        isPaid = true
        at.payments.pay(intent)
        await comeBack(buyer, { order: order.id, clientSecret: clientSecret!, intent })
      }
      return basket
    },
  }
  expect((await checkOutAgain(at.shop, meanwhile, wish)).order.id).toBe(order.id)
  expect(await at.shop.db.$count(orders, eq(orders.userId, buyer.user.id))).toBe(1)
})

test('a bag with a title that is no longer sold says so, also with a valid code', async () => {
  await at.shop.db.insert(discounts).values({ code: 'VALID', type: 'all', percent: 25 })
  const buyer = await aBuyer(at.shop)
  const book = await audio()
  const cart = await fillBag(buyer, [book])
  await at.shop.db.update(books).set({ published: false }).where(eq(books.id, book.id))
  expect(await told(pay(buyer, cart, { couponCode: 'VALID' }))).toEqual([
    409,
    'Something in your bag is no longer available.',
  ])
})

test('while an earlier payment is being cancelled, a changed bag is not charged', async () => {
  const buyer = await aBuyer(at.shop)
  const cart = await fillBag(buyer, [await audio()])
  const first = await checkOut(buyer, cart)
  await fillBag(buyer, [await audio()])
  const cancel = vi.spyOn(at.payments, 'cancelPayment')
  for (const state of ['pending', 'open'] as const) {
    cancel.mockResolvedValueOnce({ ...at.payments.made.get(first.intent)!, state })
    expect((await pay(buyer, cart)).statusCode).toBe(409)
  }
  cancel.mockRestore()
  expect((await pay(buyer, cart)).json()).toMatchObject({ amount: 24 })
})

test('a repeated checkout that saves no card asks the provider for nothing', async () => {
  const buyer = await aBuyer(at.shop)
  const cart = await fillBag(buyer, [await audio()])
  const asked = vi.spyOn(at.payments, 'saveCardOf')
  for (let press = 0; press < 2; press += 1) expect((await pay(buyer, cart)).statusCode).toBe(200)
  expect(asked).not.toHaveBeenCalled()
  asked.mockRestore()
})

test('an order of £0 is paid at once, without waiver or card', async () => {
  await at.shop.db.insert(discounts).values([
    { code: 'ALLFREE', type: 'all', percent: 100 },
    { code: 'NEARLY', type: 'all', amountMinor: 1171 },
    { code: 'CHEAPEST', type: 'cheapest_book', percent: 100 },
  ])
  for (const couponCode of ['ALLFREE', 'NEARLY']) {
    const buyer = await aBuyer(at.shop)
    const book = await audio()
    const cart = await fillBag(buyer, [book])
    const before = at.payments.made.size
    const answer = await buyer.ask('POST', `/api/carts/${cart}/checkout`, { couponCode, amount: 0 })
    expect(answer.json()).toMatchObject({ amount: 0, clientSecret: null, url: null })
    expect(at.payments.made.size).toBe(before)
    const receipt = (await buyer.ask('GET', `/api/order_carts/${answer.json().order}`)).json()
    expect(receipt).toMatchObject({ status: 'paid', amount: 0, couponCode, transactions: [{ type: 'free' }] })
    expect(await libraryOf(buyer.user.id)).toEqual([book.id])
  }
  const buyer = await aBuyer(at.shop)
  const cart = await fillBag(buyer, [await audio(), await audio()])
  expect((await pay(buyer, cart, { couponCode: 'CHEAPEST' })).json()).toMatchObject({ amount: 12 })
})

test('a repeated checkout with a code returns its paid order, although the bag is empty by then', async () => {
  await at.shop.db.insert(discounts).values({ code: 'QUARTER', type: 'all', percent: 25 })
  const buyer = await aBuyer(at.shop)
  const cart = await fillBag(buyer, [await audio()])
  const first = await checkOut(buyer, cart, 'QUARTER')
  at.payments.pay(first.intent)
  await comeBack(buyer, first)
  expect(await checkOut(buyer, cart, 'QUARTER')).toMatchObject({ order: first.order, clientSecret: null })
})

test('a webhook event is accepted by its signature only, over the bytes that were sent', async () => {
  const buyer = await aBuyer(at.shop)
  const till = await checkOut(buyer, await fillBag(buyer, [await audio()]))
  at.payments.pay(till.intent)
  const { payload, headers } = at.payments.webhook(till.intent)
  const post = (given: Record<string, string>) =>
    at.shop.app.inject({ method: 'POST', url: '/api/webhooks/stripe', payload, headers: given })
  expect((await post({ 'content-type': 'application/json' })).statusCode).toBe(400)
  expect((await post({ ...headers, 'stripe-signature': 'forged' })).statusCode).toBe(400)
  expect(await libraryOf(buyer.user.id)).toEqual([])
  expect((await post({ ...headers, 'content-type': 'text/plain' })).statusCode).toBe(200)
  expect(await libraryOf(buyer.user.id)).toHaveLength(1)
})

test('the outcome of a payment is returned to a caller with its secret, and its order to the buyer only', async () => {
  const [buyer, stranger] = [await aBuyer(at.shop), await aBuyer(at.shop)]
  const till = await checkOut(buyer, await fillBag(buyer, [await audio()]))
  at.payments.pay(till.intent)
  const visitor: Pick<Buyer, 'ask'> = {
    ask: async (method, url, payload) => at.shop.app.inject({ method, url, payload: payload ?? {} }),
  }
  expect((await comeBack(visitor, till)).json()).toEqual({ outcome: 'paid', order: null })
  expect((await comeBack(stranger, till)).json()).toEqual({ outcome: 'paid', order: null })
  expect((await comeBack(visitor, { ...till, clientSecret: `${till.intent}_secret_guess` })).statusCode).toBe(
    404,
  )
  expect((await comeBack(visitor, { ...till, intent: 'pi_unknown' })).statusCode).toBe(404)
})

test('the client secret is not stored: it is compared with the provider’s copy on return', async () => {
  const buyer = await aBuyer(at.shop)
  const { slug } = await anAudioBook(at.shop, { priceMinor: 1200 })
  const till = await checkOut(buyer, await fillBag(buyer, [{ slug, kind: 'audio_books' }]))
  const { order, intent, clientSecret } = till
  const stored = await at.shop.db.select().from(payments).where(eq(payments.orderId, order))
  expect(JSON.stringify(stored)).not.toContain(clientSecret)
  at.payments.pay(intent)
  for (const guess of [`${clientSecret}x`, clientSecret.replace(/.$/, '~')])
    expect((await comeBack(buyer, { ...till, clientSecret: guess })).statusCode).toBe(404)
  expect((await comeBack(buyer, till)).json()).toMatchObject({ outcome: 'paid', order })
})

test('a payment that another tab makes before the choice about saving its card arrives is not paid again', async () => {
  const buyer = await aBuyer(at.shop)
  const cart = await fillBag(buyer, [await audio()])
  const till = await checkOut(buyer, cart)
  const { made } = at.payments
  made.set(till.intent, { ...made.get(till.intent)!, savesCard: true })
  at.payments.onCall = (call, when) => {
    if (call === 'saveCardOf' && when === 'before') at.payments.pay(till.intent)
  }
  const again = await checkOut(buyer, cart)
  at.payments.onCall = () => undefined
  expect(again).toMatchObject({ order: till.order, clientSecret: null })
  expect(await libraryOf(buyer.user.id)).toHaveLength(1)
})

test('a checkout that no longer saves the card says so to the provider with one call', async () => {
  const buyer = await aBuyer(at.shop)
  const cart = await fillBag(buyer, [await audio()])
  const till = await checkOut(buyer, cart)
  const { made } = at.payments
  made.set(till.intent, { ...made.get(till.intent)!, savesCard: true })
  const calls: string[] = []
  at.payments.onCall = (call, when) => {
    if (when === 'before') calls.push(call)
  }
  expect(await checkOut(buyer, cart)).toEqual(till)
  at.payments.onCall = () => undefined
  expect(calls).toEqual(['retrievePayment', 'saveCardOf'])
  expect(made.get(till.intent)!.savesCard).toBe(false)
})
