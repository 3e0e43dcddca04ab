import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buyCartNow, buyTitleNow } from '#contract/buy-now.ts'
import { BUY_NOW_CONSENT, buyNowConsent } from '#contract/messages-checkout.ts'
import { sessions } from '#server/db/schema/accounts.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { books } from '#server/db/schema/catalogue.ts'
import { savedCards, subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { anAudioBook, inLibrary, signedIn } from '#tests/support/builders.ts'
import { aBuyer, type Buyer, comeBack, fillBag } from '#tests/support/purchases.ts'
import { chargesAt } from '#tests/support/checkout-page.ts'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

/** With the official library and the sandbox over HTTP. */
let sandbox: TestSandbox
let shop: TestShop
beforeAll(async () => {
  sandbox = await testSandbox()
  shop = await testShop({ env: { ...sandbox.env, DEMO: '1' } })
  await sandbox.tell(await shop.app.listen({ port: 0, host: '127.0.0.1' }))
})
afterAll(async () => {
  await shop?.close()
  await sandbox?.close()
})

const aTitle = () => anAudioBook(shop, { priceMinor: 1100, title: 'The Quiet Ferry' })

/** A buyer who saved this card with an earlier purchase; `pm` is the card's id at the provider. */
async function withCard(number?: string): Promise<{ buyer: Buyer; card: string; pm: string }> {
  const buyer = await aBuyer(shop)
  const cart = await fillBag(buyer, [{ slug: (await aTitle()).slug, kind: 'audio_books' }])
  const body = { couponCode: null, waiver: true, saveCard: true }
  const { order, clientSecret } = (await buyer.ask('POST', `/api/carts/${cart}/checkout`, body)).json()
  const intent: string = clientSecret.split('_secret_')[0]
  const confirmed = await sandbox.confirm({ id: intent, clientSecret }, number)
  if (confirmed.status === 'requires_action') await sandbox.decide(confirmed, 'approve')
  await comeBack(buyer, { order, clientSecret, intent })
  const [row] = await shop.db.select().from(savedCards).where(eq(savedCards.userId, buyer.user.id))
  return { buyer, card: row!.id, pm: row!.methodId }
}

const press = (buyer: Pick<Buyer, 'ask'>, paymentMethod: string, slug: string, more: object = {}) =>
  buyer.ask('POST', '/api/buy_now', {
    format: 'audio_book',
    slug,
    amount: 11,
    paymentMethod,
    consent: BUY_NOW_CONSENT,
    ...more,
  })
const owns = async (buyer: Buyer, slug: string) =>
  (await buyer.ask('GET', `/api/audio_books/${slug}`)).json().inLibrary as boolean

test('paying: one press with a saved card buys a title, and the sentence under the button is stored with the order', async () => {
  const { buyer, card } = await withCard()
  const { slug } = await aTitle()
  // The title waits in the bag, too: it leaves it.
  await fillBag(buyer, [{ slug, kind: 'audio_books' }])
  const answer = await press(buyer, card, slug)
  expect(misfits(buyTitleNow.reply, answer.json())).toEqual([])
  expect(answer.json()).toMatchObject({ outcome: 'paid' })
  expect(await owns(buyer, slug)).toBe(true)
  const [order] = await shop.db.select().from(orders).where(eq(orders.id, answer.json().order))
  expect(order).toMatchObject({ state: 'paid', totalMinor: 1100, consentWords: BUY_NOW_CONSENT })
  expect(order!.waiverAt).not.toBeNull()
  expect((await buyer.ask('GET', '/api/carts/own')).json().itemCount).toBe(0)
})

test('paying: fifty presses in ten tabs charge once', async () => {
  const { buyer, card } = await withCard()
  const { slug } = await aTitle()
  const tabs = [
    buyer.headers,
    ...(await Promise.all(Array.from({ length: 9 }, () => signedIn(shop, buyer.user)))),
  ]
  const before = (await chargesAt(sandbox)).length
  const payload = { format: 'audio_book', slug, amount: 11, paymentMethod: card, consent: BUY_NOW_CONSENT }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      shop.app.inject({ method: 'POST', url: '/api/buy_now', headers: tabs[index % 10]!, payload }),
    ),
  )
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200))
  expect(new Set(answers.map((each) => each.json().order)).size).toBe(1)
  for (const each of answers) expect(['paid', 'checking']).toContain(each.json().outcome)
  expect(await owns(buyer, slug)).toBe(true)
  expect(await chargesAt(sandbox)).toHaveLength(before + 1)
  expect(await shop.db.$count(orders, eq(orders.userId, buyer.user.id))).toBe(2)
})

test('paying: a repeated press gets the order of the first one for an hour, and then hears that the title is owned', async () => {
  const { buyer, card } = await withCard()
  const { slug } = await aTitle()
  const { order } = (await press(buyer, card, slug)).json()
  expect((await press(buyer, card, slug)).json()).toMatchObject({ outcome: 'paid', order })
  shop.clock.set(new Date(shop.clock.now().getTime() + 3_600_001).toISOString())
  const headers = await signedIn(shop, buyer.user)
  const ask = (method: 'POST', url: string, payload: object) =>
    shop.app.inject({ method, url, headers, payload })
  const late = await press({ ask }, card, slug)
  expect([late.statusCode, late.json().reason]).toEqual([422, 'already_owned'])
})

test('paying: a refused card charges nothing and says why, and the next press is a new attempt', async () => {
  const { buyer, card, pm } = await withCard()
  const { slug } = await aTitle()
  await sandbox.control(`payment_methods/${pm}`, { bank: 'insufficient_funds' })
  expect((await press(buyer, card, slug)).json()).toMatchObject({
    outcome: 'refused',
    refusal: 'insufficient_funds',
  })
  expect(await owns(buyer, slug)).toBe(false)
  await sandbox.control(`payment_methods/${pm}`, { bank: 'pass' })
  expect((await press(buyer, card, slug)).json()).toMatchObject({ outcome: 'paid' })
})

test('paying: only when the bank asks does the checkout open, with that payment', async () => {
  const { buyer, card, pm } = await withCard()
  const { slug } = await aTitle()
  await sandbox.control(`payment_methods/${pm}`, { bank: 'authenticate' })
  const { outcome, order, clientSecret } = (await press(buyer, card, slug)).json()
  expect(outcome).toBe('authenticate')
  // A second press doesn't make a second payment.
  expect((await press(buyer, card, slug)).json()).toMatchObject({ outcome: 'authenticate', clientSecret })
  const intent: string = clientSecret.split('_secret_')[0]
  const confirmed = await sandbox.resume({ id: intent, clientSecret })
  await sandbox.decide(confirmed, 'approve')
  expect((await comeBack(buyer, { order, clientSecret, intent })).json().outcome).toBe('paid')
  expect(await owns(buyer, slug)).toBe(true)
})

test('paying: a member pays the member price, and a price that has changed since it was shown charges nothing', async () => {
  const { buyer, card } = await withCard()
  const now = shop.clock.now().getTime()
  const [from, until] = [new Date(now - 86_400_000), new Date(now + 86_400_000 * 20)]
  const period = { periodStart: from, periodEnd: until, validUntil: until }
  await shop.db.insert(subscriptions).values({ userId: buyer.user.id, plan: 4, status: 'active', ...period })
  const { slug, id } = await aTitle()
  const old = await press(buyer, card, slug, { amount: 11 })
  expect([old.statusCode, old.json().reason]).toEqual([409, 'total_changed'])
  expect((await press(buyer, card, slug, { amount: 8.8 })).json().outcome).toBe('paid')
  const next = await aTitle()
  await shop.db.update(books).set({ priceMinor: 1500 }).where(eq(books.id, next.id))
  expect((await press(buyer, card, next.slug, { amount: 8.8 })).json().reason).toBe('total_changed')
  expect(id).not.toBe(next.id)
})

test('paying: another account’s card, a removed one, an owned title and another sentence charge nothing', async () => {
  const [{ buyer, card }, other] = [await withCard(), await withCard()]
  const { slug } = await aTitle()
  const refused = async (...wish: Parameters<typeof press>) => {
    const answer = await press(...wish)
    return [answer.statusCode, answer.json().reason ?? answer.json().violations?.[0]?.propertyPath]
  }
  const before = (await chargesAt(sandbox)).length
  expect(await refused(other.buyer, card, slug)).toEqual([422, 'payment_method_invalid'])
  expect(await refused(buyer, card, slug, { consent: 'I agree.' })).toEqual([422, 'consent'])
  const owned = await aTitle()
  await inLibrary(shop, buyer.user, owned)
  expect(await refused(buyer, card, owned.slug)).toEqual([422, 'already_owned'])
  await buyer.ask('DELETE', `/api/payment_methods/${card}`)
  expect(await refused(buyer, card, slug)).toEqual([422, 'payment_method_invalid'])
  expect(await chargesAt(sandbox)).toHaveLength(before)
})

describe('a bag', () => {
  const pressBag = (buyer: Pick<Buyer, 'ask'>, cart: string, card: string, more: object = {}) =>
    buyer.ask('POST', `/api/carts/${cart}/buy_now`, {
      couponCode: null,
      amount: 22,
      paymentMethod: card,
      consent: buyNowConsent({ own: 2, gifts: 0 }),
      ...more,
    })
  const twoIn = async (buyer: Buyer) => {
    const titles = [await aTitle(), await aTitle()]
    return {
      titles,
      cart: await fillBag(
        buyer,
        titles.map(({ slug }) => ({ slug, kind: 'audio_books' })),
      ),
    }
  }

  test('paying: one press pays for a bag, and the words under the button replace those of the form', async () => {
    const { buyer, card } = await withCard()
    const { titles, cart } = await twoIn(buyer)
    // The form of the checkout has made the order already.
    await buyer.ask('POST', `/api/carts/${cart}/checkout`, { couponCode: null, waiver: true })
    const answer = await pressBag(buyer, cart, card)
    expect(misfits(buyCartNow.reply, answer.json())).toEqual([])
    expect(answer.json()).toMatchObject({ outcome: 'paid' })
    for (const { slug } of titles) expect(await owns(buyer, slug)).toBe(true)
    const [order] = await shop.db.select().from(orders).where(eq(orders.id, answer.json().order))
    expect(order).toMatchObject({
      state: 'paid',
      totalMinor: 2200,
      consentWords: 'They’re yours at once, so you can’t cancel afterwards.',
    })
    expect((await buyer.ask('GET', '/api/carts/own')).json().itemCount).toBe(0)
  })

  test('paying: fifty presses on a bag in ten tabs charge once', async () => {
    const { buyer, card } = await withCard()
    const { cart } = await twoIn(buyer)
    const tabs = await Promise.all(Array.from({ length: 10 }, () => signedIn(shop, buyer.user)))
    const before = (await chargesAt(sandbox)).length
    const payload = {
      couponCode: null,
      amount: 22,
      paymentMethod: card,
      consent: buyNowConsent({ own: 2, gifts: 0 }),
    }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, press) =>
        shop.app.inject({
          method: 'POST',
          url: `/api/carts/${cart}/buy_now`,
          headers: tabs[press % 10]!,
          payload,
        }),
      ),
    )
    expect(new Set(answers.map((each) => each.json().order)).size).toBe(1)
    expect((await chargesAt(sandbox)).length).toBe(before + 1)
  })

  test('paying: a code in the bag is used with one press, once', async () => {
    const { buyer, card } = await withCard()
    const { cart } = await twoIn(buyer)
    await shop.db
      .insert(discounts)
      .values({ code: 'PRESSED', type: 'all', percent: 50, oncePerAccount: true })
    expect((await pressBag(buyer, cart, card, { couponCode: 'PRESSED' })).json().reason).toBe('total_changed')
    const paid = await pressBag(buyer, cart, card, { couponCode: 'PRESSED', amount: 11 })
    expect(paid.json()).toMatchObject({ outcome: 'paid' })
    const next = await twoIn(buyer)
    const again = await pressBag(buyer, next.cart, card, { couponCode: 'PRESSED', amount: 11 })
    expect(again.statusCode).toBe(422)
  })

  test('paying: a gift in the bag has its own sentence, and an old session must give the password first', async () => {
    const { buyer, card } = await withCard()
    const cart = await fillBag(buyer, [
      { slug: (await aTitle()).slug, kind: 'audio_books' },
      { slug: (await aTitle()).slug, kind: 'audio_books', giftEmail: 'friend@murmur.example' },
    ])
    expect((await pressBag(buyer, cart, card)).json().violations[0].propertyPath).toBe('consent')
    const consent = buyNowConsent({ own: 1, gifts: 1 })
    const long = new Date(shop.now().getTime() - 3_600_000)
    await shop.db.update(sessions).set({ createdAt: long }).where(eq(sessions.userId, buyer.user.id))
    const before = (await chargesAt(sandbox)).length
    expect((await pressBag(buyer, cart, card, { consent })).json().reason).toBe('proof_needed')
    expect(await chargesAt(sandbox)).toHaveLength(before)
    await buyer.ask('POST', `/api/users/${buyer.user.id}/prove`, { password: buyer.user.password })
    expect((await pressBag(buyer, cart, card, { consent })).json().outcome).toBe('paid')
  })

  test('paying: another account’s bag is not found, and nothing of it is charged', async () => {
    const [{ buyer }, other] = [await withCard(), await withCard()]
    const { cart } = await twoIn(buyer)
    const before = (await chargesAt(sandbox)).length
    expect((await pressBag(other.buyer, cart, other.card)).statusCode).toBe(404)
    expect(await chargesAt(sandbox)).toHaveLength(before)
  })
})

test('paying: an order and its receipt name the wallet that paid', async () => {
  const buyer = await aBuyer(shop)
  const cart = await fillBag(buyer, [{ slug: (await aTitle()).slug, kind: 'audio_books' }])
  const body = { couponCode: null, waiver: true }
  const { order, clientSecret } = (await buyer.ask('POST', `/api/carts/${cart}/checkout`, body)).json()
  const intent: string = clientSecret.split('_secret_')[0]
  await sandbox.confirmByWallet({ id: intent, clientSecret }, 'applepay')
  await comeBack(buyer, { order, clientSecret, intent })
  const receipt = (await buyer.ask('GET', `/api/order_carts/${order}`)).json()
  expect(receipt.transactions).toEqual([{ id: intent, type: 'card', last4: '4242', wallet: 'apple_pay' }])
})
