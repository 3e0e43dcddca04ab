import { afterAll, beforeAll, expect, test } from 'vitest'
import { membershipPrices } from '#server/integrations/stripe/prices.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { aBuyer, type Buyer, comeBack, fillBag, twoTitles } from '#tests/support/purchases.ts'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { insertCustomer } from '../membership/billing-queries.ts'
import { removeSavedCard, saveCard, savedCardsOf, usableCardOf } from '../membership/saved-cards.ts'
import { syncMembershipsOfCustomer } from '../membership/sync-subscription.ts'

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

const cardsOf = async (buyer: Buyer) =>
  (await buyer.ask('GET', '/api/payment_methods')).json()['hydra:member'] as { id: string; last4: string }[]

/** Checks a bag with one title out; each press on Pay repeats `press`. */
async function atCheckout(buyer: Buyer) {
  const { audioBook } = await twoTitles(shop)
  const cart = await fillBag(buyer, [{ slug: audioBook.slug, kind: 'audio_books' }])
  const press = async (saveCard?: boolean) => {
    const body = { couponCode: null, waiver: true, ...(saveCard === undefined ? {} : { saveCard }) }
    const answer = await buyer.ask('POST', `/api/carts/${cart}/checkout`, body)
    const { order, clientSecret } = answer.json()
    const intent: string = clientSecret.split('_secret_')[0]
    return { id: intent, intent, order, clientSecret }
  }
  return { press }
}

async function buy(buyer: Buyer, saveCard: boolean, number?: string) {
  const at = await (await atCheckout(buyer)).press(saveCard)
  await sandbox.confirm(at, number)
  expect((await comeBack(buyer, at)).json().outcome).toBe('paid')
  return at
}

test('paying: a ticked box saves the card that paid, and without it no card is saved', async () => {
  const buyer = await aBuyer(shop)
  await buy(buyer, false)
  expect(await cardsOf(buyer)).toEqual([])
  await buy(buyer, true)
  expect(await cardsOf(buyer)).toEqual([
    {
      '@id': expect.stringMatching(/^\/api\/payment_methods\//),
      '@type': 'PaymentMethod',
      id: expect.any(String),
      brand: 'visa',
      last4: '4242',
      expires: expect.stringMatching(/^\d{4}-12$/),
      expired: false,
    },
  ])
  expect((await buyer.ask('GET', '/api/logged-user')).json().savedCard).toMatchObject({ last4: '4242' })
})

test('paying: only the last press decides whether a card is saved', async () => {
  const buyer = await aBuyer(shop)
  const { press } = await atCheckout(buyer)
  const refused = await press(true)
  await sandbox.confirm(refused, '4000000000000002')
  const at = await press(false)
  expect(at.id).toBe(refused.id)
  await sandbox.confirm(at)
  await comeBack(buyer, at)
  expect(await cardsOf(buyer)).toEqual([])
})

test('paying: the same card typed twice is listed once, and removing it detaches every copy', async () => {
  const buyer = await aBuyer(shop)
  await buy(buyer, true)
  await buy(buyer, true)
  await buy(buyer, true, '5555555555554444')
  const cards = await cardsOf(buyer)
  expect(cards.map(({ last4 }) => last4)).toEqual(['4444', '4242'])
  const customer = (await sandbox.payments.retrievePayment((await buy(buyer, true)).id)).customer!
  const attached = async () => (await sandbox.billing.customers.cards(customer)).map(({ last4 }) => last4)
  expect((await attached()).filter((last4) => last4 === '4242')).toHaveLength(3)
  const visa = (await cardsOf(buyer)).find(({ last4 }) => last4 === '4242')!
  const stranger = await aBuyer(shop)
  expect((await stranger.ask('DELETE', `/api/payment_methods/${visa.id}`)).statusCode).toBe(404)
  expect((await buyer.ask('DELETE', `/api/payment_methods/${visa.id}`)).statusCode).toBe(204)
  expect((await cardsOf(buyer)).map(({ last4 }) => last4)).toEqual(['4444'])
  expect(await attached()).toEqual(['4444'])
  expect((await buyer.ask('DELETE', `/api/payment_methods/${visa.id}`)).statusCode).toBe(404)
})

test('paying: a membership saves its card the same way, and renews with it after the card was removed', async () => {
  await sandbox.billing.prices.setUp(membershipPrices())
  const join = async (buyer: Buyer, saveCard: boolean) => {
    const body = { plan: 4, startNow: true, ...(saveCard ? { saveCard } : {}) }
    const { id, paymentIntent } = (await buyer.ask('POST', '/api/subscriptions', body)).json()
    const intent = { id: paymentIntent.split('_secret_')[0], clientSecret: paymentIntent }
    await sandbox.confirm(intent)
    await comeBack(buyer, { order: id, intent: intent.id, clientSecret: paymentIntent })
    return intent.id
  }
  const [one, other] = [await aBuyer(shop), await aBuyer(shop)]
  await join(one, false)
  expect(await cardsOf(one)).toEqual([])
  const { customer } = await sandbox.payments.retrievePayment(await join(other, true))
  const [card] = await cardsOf(other)
  expect(card).toMatchObject({ last4: '4242' })
  await other.ask('DELETE', `/api/payment_methods/${card!.id}`)
  await syncMembershipsOfCustomer(shop, customer!)
  expect(await cardsOf(other)).toEqual([])
  expect((await sandbox.billing.customers.cards(customer!)).map(({ last4 }) => last4)).toEqual(['4242'])
  expect((await other.ask('GET', '/api/subscriptions/default-payment')).json()).toEqual({
    type: 'card',
    last4: '4242',
  })
})

test('paying: only a card whose brand, number and last month are known is saved', async () => {
  const buyer = await aBuyer(shop)
  const card = { id: 'pm_partly', brand: 'visa', last4: '4242', expiresAt: new Date('2030-01-01') }
  const save = (more: object) => saveCard(shop.db, buyer.user.id, { ...card, ...more }, shop.clock.now())
  for (const missing of [{ brand: null }, { last4: null }, { expiresAt: null }]) await save(missing)
  expect(await cardsOf(buyer)).toEqual([])
  await save({})
  expect(await cardsOf(buyer)).toMatchObject([{ brand: 'visa', last4: '4242', expires: '2029-12' }])
})

test('paying: a card is expired from the end of its last month, and then no longer offered', async () => {
  const buyer = await aBuyer(shop)
  const now = shop.clock.now()
  const save = (last4: string, ms: number) => {
    const card = { id: `pm_${last4}`, brand: 'visa', last4, expiresAt: new Date(now.getTime() + ms) }
    return saveCard(shop.db, buyer.user.id, card, now)
  }
  const at = { ...shop, clock: { now: () => now } } as never
  await save('0001', 0)
  expect(await savedCardsOf(at, buyer.user.id)).toMatchObject([{ last4: '0001', expired: true }])
  expect(await usableCardOf(at, buyer.user.id)).toBeNull()
  await save('0002', 1)
  expect(await usableCardOf(at, buyer.user.id)).toMatchObject({ last4: '0002' })
  expect(await savedCardsOf(at, buyer.user.id)).toContainEqual(
    expect.objectContaining({ last4: '0002', expired: false }),
  )
})

test('paying: removing a card detaches none that has another brand, number or last month', async () => {
  const { user } = await aBuyer(shop)
  await insertCustomer(shop.db, {
    ...{ userId: user.id, customerId: 'cus_similar', syncedEmail: user.email, syncedName: 'Similar' },
  })
  const card = { id: 'pm_first', brand: 'visa', last4: '4242', expiresAt: new Date('2030-01-01') }
  await saveCard(shop.db, user.id, card, shop.clock.now())
  const attached = [
    { ...card, id: 'pm_copy' },
    { ...card, id: 'pm_brand', brand: 'mastercard' },
    { ...card, id: 'pm_number', last4: '4243' },
    { ...card, id: 'pm_month', expiresAt: new Date('2030-02-01') },
    { ...card, id: 'pm_unknown', expiresAt: null },
  ]
  const dropped: string[] = []
  const fake = fakeBilling()
  const cards = async () => attached as never
  const drop = async (id: string) => void dropped.push(id)
  const at = { ...shop, billing: { ...fake, customers: { ...fake.customers, cards, drop } } }
  const [saved] = await savedCardsOf(at, user.id)
  await removeSavedCard(at, user.id, saved!.id)
  expect(dropped).toEqual(['pm_copy'])
})
