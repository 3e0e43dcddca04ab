import { createHmac } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { libraryEntries } from '#server/db/schema/library.ts'
import { mails } from '#server/db/schema/mails.ts'
import { reconcile } from '#server/features/checkout/reconcile-payments.ts'
import {
  aBuyer,
  type Buyer,
  checkOut,
  comeBack,
  fillBag,
  type CheckoutStarted,
  twoTitles,
} from '#tests/support/purchases.ts'
import { testSandbox, type TestSandbox } from '#tests/support/sandbox.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

/** Purchases with the production code for Stripe: the official library, HTTP and real signatures; nothing is mocked. */
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
beforeEach(() => sandbox.control('webhooks', { hold: 'false', duplicates: '0' }))

interface PaidCheckout extends CheckoutStarted {
  readonly buyer: Buyer
  readonly id: string
}

async function paidCheckout(): Promise<PaidCheckout> {
  const buyer = await aBuyer(shop)
  const { audioBook, eBook } = await twoTitles(shop)
  const cart = await fillBag(buyer, [
    { slug: audioBook.slug, kind: 'audio_books' },
    { slug: eBook.slug, kind: 'e_books' },
  ])
  const till = await checkOut(buyer, cart)
  return { ...till, buyer, id: till.intent }
}

const statusOf = async ({ buyer, order }: PaidCheckout): Promise<string> =>
  (await buyer.ask('GET', `/api/order_carts/${order}`)).json().status
const shelfOf = ({ buyer }: PaidCheckout) =>
  shop.db.$count(libraryEntries, eq(libraryEntries.userId, buyer.user.id))
const mailsOf = ({ order }: PaidCheckout) => shop.db.$count(mails, eq(mails.key, `order_confirmed:${order}`))
const becomes = async (till: PaidCheckout, status: string) => {
  await expect.poll(() => statusOf(till)).toBe(status)
}

test('PAY-12: a successful card payment becomes an order by the webhook alone', async () => {
  const till = await paidCheckout()
  await sandbox.confirm(till)
  await becomes(till, 'paid')
  expect([await shelfOf(till), await mailsOf(till)]).toEqual([2, 1])
  const receipt = (await till.buyer.ask('GET', `/api/order_carts/${till.order}`)).json()
  expect(receipt.transactions).toMatchObject([{ id: till.intent, type: 'card', last4: '4242' }])
})

test('PAY-12: an approved PayPal payment becomes an order, and the return page says so', async () => {
  await sandbox.control('webhooks', { hold: 'true' })
  const till = await paidCheckout()
  const back = await sandbox.decide(
    await sandbox.confirmPayPal(till, 'http://127.0.0.1:9/payment-successful'),
    'approve',
  )
  const given = new URL(back!).searchParams
  expect(given.get('redirect_status')).toBe('succeeded')
  const answer = await till.buyer.ask('POST', '/api/payments/return', {
    paymentIntent: given.get('payment_intent'),
    clientSecret: given.get('payment_intent_client_secret'),
  })
  expect(answer.json()).toEqual({ outcome: 'paid', order: till.order })
  expect([await shelfOf(till), await mailsOf(till)]).toEqual([2, 1])
})

test.each([
  ['without funds', '4000000000009995'],
  ['that is expired', '4000000000000069'],
  ['that fails when it is charged', '4000000000000341'],
])('a card %s is refused, and nothing is bought', async (_, card) => {
  const till = await paidCheckout()
  await sandbox.confirm(till, card)
  expect((await comeBack(till.buyer, till)).json().outcome).toBe('refused')
  expect(await statusOf(till)).toBe('awaiting_payment')
  expect([await shelfOf(till), await mailsOf(till)]).toEqual([0, 0])
})

test('repeated and reordered events, together with the return page, make one order', async () => {
  await sandbox.control('webhooks', { hold: 'true' })
  const till = await paidCheckout()
  await sandbox.confirm(till, '4000000000009995')
  expect((await comeBack(till.buyer, till)).json().outcome).toBe('refused')
  await sandbox.confirm(till)
  const [back, sent] = await Promise.all([
    comeBack(till.buyer, till),
    sandbox.control('webhooks/release', { order: 'reversed', times: '2' }),
  ])
  expect(back.json()).toEqual({ outcome: 'paid', order: till.order })
  const answers = (sent.sent as { type: string; status: number }[]).map(({ status }) => status)
  expect(answers.length).toBeGreaterThan(6)
  expect(answers.every((status) => status === 200)).toBe(true)
  expect(await statusOf(till)).toBe('paid')
  expect([await shelfOf(till), await mailsOf(till)]).toEqual([2, 1])
})

test('a payment is found by the reconciliation if all its events were lost', async () => {
  await sandbox.control('webhooks', { hold: 'true' })
  const till = await paidCheckout()
  await sandbox.confirm(till)
  expect(await statusOf(till)).toBe('awaiting_payment')
  await reconcile(shop)
  expect(await statusOf(till)).toBe('paid')
  expect([await shelfOf(till), await mailsOf(till)]).toEqual([2, 1])
})

test.each([
  [
    'refunded',
    (till: PaidCheckout) => sandbox.payments.refundPayment(till.intent, {}, `office-${till.order}`),
    ['refunded', null],
  ],
  [
    'disputed',
    (till: PaidCheckout) => sandbox.control(`payment_intents/${till.intent}/dispute`),
    ['paid', 'open'],
  ],
])('the titles are taken back when the money is %s', async (_, goBack, becameOf) => {
  const till = await paidCheckout()
  await sandbox.confirm(till)
  await becomes(till, 'paid')
  await goBack(till)
  await expect.poll(() => shelfOf(till)).toBe(0)
  const { status, dispute } = (await till.buyer.ask('GET', `/api/order_carts/${till.order}`)).json()
  expect([status, dispute]).toEqual(becameOf)
})

test('a webhook with a valid signature but no event, or with a future timestamp, gets 400', async () => {
  const secret = sandbox.env.STRIPE_WEBHOOK_SECRET!
  const post = (payload: string, at = Math.floor(Date.now() / 1000)) =>
    shop.app.inject({
      method: 'POST',
      url: '/api/webhooks/stripe',
      payload,
      headers: {
        'content-type': 'application/json',
        'stripe-signature': `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${payload}`).digest('hex')}`,
      },
    })
  for (const body of [
    '{"id":5}',
    '{"id":"evt_1","type":"charge.refunded"}',
    '[]',
    'null',
    '"text"',
    'no JSON',
    '{"id":"evt_2","type":"x","created":1,"data":{"object":null}}',
    '{"id":"evt_\\u0000","type":"x","created":1,"data":{"object":{"object":"thing"}}}',
    '{"id":"evt_4","type":"customer.deleted","created":1,"data":{"object":{"object":"customer","id":"cus_\\u0000"}}}',
  ])
    expect([body, (await post(body)).statusCode]).toEqual([body, 400])
  const event = '{"id":"evt_3","type":"nothing.of.ours","created":1,"data":{"object":{"object":"thing"}}}'
  expect((await post(event, Math.floor(Date.now() / 1000) + 86_400)).statusCode).toBe(400)
  expect((await post(event)).statusCode).toBe(200)
})
