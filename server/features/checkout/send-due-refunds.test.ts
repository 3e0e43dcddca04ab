import { asc, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { orders, refunds } from '#server/db/schema/orders.ts'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { aBuyer, type Buyer, hearOf, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { aRecipient, give } from '#tests/support/gifts.ts'
import { requestRefund } from '../refunds/service.ts'
import { reconcile } from './reconcile-payments.ts'
import { sendOrderRefund, sendDueRefunds } from './refund-order-lines.ts'
import { selectOwedTo, selectStuckRefunds } from '../refunds/queries.ts'

let at: PayingShop
let giver: Buyer
beforeAll(async () => {
  at = await payingShop()
  // Every refusal would log an error.
  at.shop.log.level = 'silent'
})
beforeEach(async () => {
  await at.shop.db.delete(refunds)
  giver = await aBuyer(at.shop)
})
afterEach(() => {
  at.payments.onCall = () => undefined
})
afterAll(() => at.shop.close())

const backHere = async (order: string) =>
  (await at.shop.db.select().from(orders).where(eq(orders.id, order)))[0]!.refundedMinor
const backThere = (intent: string) => at.payments.made.get(intent)!.refundedMinor
const rows = () => at.shop.db.select().from(refunds).orderBy(asc(refunds.createdAt))
const takeBack = async () => {
  const [gift] = (await giver.ask('GET', '/api/subscriptions/given')).json()['hydra:member']
  return giver.ask('POST', `/api/subscriptions/given/${gift.id}/take-back`, {})
}
const job = async (seconds: number) => {
  at.shop.clock.advance(seconds)
  await sendDueRefunds(at.shop)
}

test('a refund that the provider refuses stays owed, is requested again, and is shown to the owner', async () => {
  const { order, intent } = await give(at, giver, { giftEmail: aRecipient() })
  at.payments.dispute(intent)
  expect((await takeBack()).statusCode).toBe(200)
  expect([await backHere(order), backThere(intent)]).toEqual([0, 0])
  expect(await selectOwedTo(at.shop.db, giver.user.id)).toMatchObject([{ amountMinor: 8000, orderId: order }])
  const pauses: number[] = []
  for (let refused = 0; refused < 3; refused++) {
    const { nextTryAt } = (await rows())[0]!
    pauses.push((nextTryAt!.getTime() - at.shop.clock.now().getTime()) / 60_000)
    await job(pauses.at(-1)! * 60)
  }
  expect(pauses).toEqual([5, 10, 20])
  expect(await selectStuckRefunds(at.shop.db, 10)).toMatchObject([
    {
      refund: { reason: 'gift-taken-back', state: 'refused', attempts: 4 },
      orderNumber: expect.stringMatching(/^M-/),
    },
  ])
  at.payments.closeDispute(intent, 'won')
  await job(86_400)
  await job(0)
  expect([await backHere(order), backThere(intent)]).toEqual([8000, 8000])
  expect(await rows()).toMatchObject([{ state: 'done', problem: null, nextTryAt: null }])
  expect(await selectStuckRefunds(at.shop.db, 10)).toEqual([])
})

test('money that the bank took back in a dispute is no longer owed', async () => {
  const { order, intent } = await give(at, giver, { giftEmail: aRecipient() })
  at.payments.dispute(intent)
  await takeBack()
  at.payments.closeDispute(intent, 'lost')
  await job(86_400)
  expect(await rows()).toMatchObject([{ state: 'done', problem: 'the_bank_took_it_back' }])
  expect([await backHere(order), backThere(intent)]).toEqual([8000, 0])
})

test('a refund whose response was lost is found at the provider, even after its key has expired', async () => {
  const { order, intent } = await give(at, giver, { giftEmail: aRecipient() })
  at.payments.onCall = (call, when) => {
    if (call === 'refundPayment' && when === 'after') throw new PaymentsUnavailable('away')
  }
  await takeBack()
  expect([backThere(intent), await backHere(order)]).toEqual([8000, 0])
  at.payments.onCall = (call) => {
    if (call === 'refundPayment') throw new Error('asked again')
  }
  await job(2 * 86_400)
  expect(await rows()).toMatchObject([{ state: 'done', providerId: expect.stringMatching(/^re_/) }])
  expect(await backHere(order)).toBe(8000)
})

test('a refund that fails days later is owed again, its order shows that, and it is sent under another key', async () => {
  const { order, intent } = await give(at, giver, { giftEmail: aRecipient() })
  await takeBack()
  expect(await backHere(order)).toBe(8000)
  const { providerId: first } = (await rows())[0]!
  at.payments.failRefund(first!)
  for (let twice = 0; twice < 2; twice++) await hearOf(at, intent, undefined, 'refund.failed')
  expect(await rows()).toMatchObject([
    { state: 'failed', problem: 'expired_or_canceled_card', attempts: 1, providerId: null },
  ])
  expect(await backHere(order)).toBe(0)
  await job(86_400)
  expect([backThere(intent), await backHere(order)]).toEqual([8000, 8000])
  const { providerId: second } = (await rows())[0]!
  expect(second).not.toBe(first)
})

test('a refund that failed without an event is found by the reconciliation, and owed again', async () => {
  const { order } = await give(at, giver, { giftEmail: aRecipient() })
  await takeBack()
  at.payments.failRefund((await rows())[0]!.providerId!)
  expect(await reconcile(at.shop)).toMatchObject({ failed: 0 })
  expect(await rows()).toMatchObject([{ state: 'failed', attempts: 1 }])
  expect(await backHere(order)).toBe(0)
})

test('a refund that is sent several times at once is refunded once', async () => {
  const { order, intent } = await give(at, giver, { giftEmail: aRecipient() })
  const { id } = await requestRefund(
    at.shop.db,
    { reason: 'owner', key: `owner:${order}`, orderId: order, amountMinor: 3000 },
    at.shop.clock.now(),
  )
  await Promise.all([
    sendOrderRefund(at.shop, id),
    sendOrderRefund(at.shop, id),
    sendOrderRefund(at.shop, id),
  ])
  expect([backThere(intent), await backHere(order)]).toEqual([3000, 3000])
  expect(await rows()).toMatchObject([{ state: 'done', nextTryAt: null }])
})

test.each(['asked', 'done'] as const)(
  'what is %s and can never be settled hides nothing that comes after it',
  async (state) => {
    const now = at.shop.clock.now()
    const long = new Date(now.getTime() - 1000 * 60 * 60)
    await at.shop.db.insert(refunds).values(
      Array.from({ length: 200 }, (_, number) => ({
        reason: 'owner' as const,
        key: `gone:${number}`,
        paymentId: `pi_gone_${number}`,
        amountMinor: 100,
        state,
        nextTryAt: long,
        createdAt: long,
        updatedAt: long,
      })),
    )
    const { order, intent } = await give(at, giver, { giftEmail: aRecipient() })
    const wish = { reason: 'owner', key: `owner:${order}`, orderId: order, amountMinor: 8000 } as const
    await requestRefund(at.shop.db, wish, long)
    for (let twice = 0; twice < 2; twice++) await sendDueRefunds(at.shop)
    expect(backThere(intent)).toBe(8000)
  },
)

test('the refund of an undelivered line is requested once, however often the provider refuses it', async () => {
  const { order, intent } = await give(at, giver, { giftEmail: aRecipient() })
  const { rows: lines } = await at.shop.database.pool.query<{ id: string }>(
    'update order_lines set membership_gift_id = null where order_id = $1 returning id',
    [order],
  )
  at.payments.dispute(intent)
  for (let looked = 0; looked < 3; looked++) await reconcile(at.shop)
  expect(await rows()).toMatchObject([{ key: `unneeded:${lines[0]!.id}`, state: 'refused', attempts: 1 }])
})
