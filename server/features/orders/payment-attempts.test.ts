import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ConcurrentRequest, NoProvider, PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { openLog } from '#server/log/log.ts'
import {
  aBuyer,
  checkOut,
  comeBack,
  fillBag,
  hearOf,
  payingShop,
  type PayingShop,
  twoTitles,
} from '#tests/support/purchases.ts'
import { reconcile } from '../checkout/reconcile-payments.ts'
import { selectUnsettledMismatches, selectPaymentAttempts, selectOrder } from './queries.ts'
import { recordUnansweredAttempt } from './payment-attempts.ts'

let lines: string[]
let at: PayingShop
beforeAll(async () => {
  lines = []
  at = await payingShop({ log: openLog('info', { write: (line) => void lines.push(line) }) })
})
afterAll(() => at.shop.close())

async function started() {
  const buyer = await aBuyer(at.shop)
  const { eBook } = await twoTitles(at.shop)
  const cart = await fillBag(buyer, [{ slug: eBook.slug, kind: 'e_books' }])
  return { buyer, cart, ...(await checkOut(buyer, cart)) }
}
const linesOf = (order: string) =>
  lines.map((line) => JSON.parse(line)).filter((line) => line.payment && line.order === order)
const outcomesOf = async (id: string) =>
  (await selectPaymentAttempts(at.shop.db, id)).map(({ outcome, reason }) => [outcome, reason])

test('each payment attempt is stored and logged once with its reason, and a later success hides none', async () => {
  const { buyer, ...begun } = await started()
  for (const declineCode of ['insufficient_funds', 'insufficient_funds', 'lost_card']) {
    at.payments.decline(begun.intent, { declineCode })
    // The return page and the webhook report the same attempt.
    await comeBack(buyer, begun)
    await hearOf(at, begun.intent, undefined, 'payment_intent.payment_failed')
  }
  at.payments.pay(begun.intent)
  await comeBack(buyer, begun)
  await hearOf(at, begun.intent)
  expect(await outcomesOf(begun.order)).toEqual([
    ['refused', 'insufficient_funds'],
    ['refused', 'insufficient_funds'],
    ['refused', 'lost_card'],
    ['paid', null],
  ])
  expect(linesOf(begun.order).map(({ payment, reason }) => [payment, reason])).toEqual([
    ['refused', 'insufficient_funds'],
    ['refused', 'insufficient_funds'],
    ['refused', 'lost_card'],
    ['paid', undefined],
  ])
  expect(linesOf(begun.order)[0]).toMatchObject({ intent: begun.intent, request: expect.any(String) })
})

test('a decline that is reported after the success is stored too: its webhook event identifies the attempt', async () => {
  const { order, intent } = await started()
  at.payments.pay(intent)
  await hearOf(at, intent)
  const refused = {
    intentId: intent,
    refusal: { tryId: 'ch_late', code: 'card_declined', declineCode: null, message: '' },
  }
  at.shop.clock.advance(1)
  const { payload, headers } = at.payments.webhook(intent, 'payment_intent.payment_failed')
  const told = JSON.stringify({ ...JSON.parse(payload), refused })
  await at.shop.app.inject({ method: 'POST', url: '/api/webhooks/stripe', payload: told, headers })
  expect(await outcomesOf(order)).toEqual([
    ['paid', null],
    ['refused', 'card_declined'],
  ])
})

test('if the provider does not answer, the attempt is stored as unanswered', async () => {
  const buyer = await aBuyer(at.shop)
  const { eBook } = await twoTitles(at.shop)
  const cart = await fillBag(buyer, [{ slug: eBook.slug, kind: 'e_books' }])
  at.payments.onCall = () => {
    throw new PaymentsUnavailable('away')
  }
  await expect(checkOut(buyer, cart)).rejects.toThrow('503')
  at.payments.onCall = () => undefined
  const { order } = await checkOut(buyer, cart)
  expect(await outcomesOf(order)).toEqual([['unanswered', null]])
  expect(linesOf(order)).toMatchObject([{ level: 'error', payment: 'unanswered' }])
})

test('an order’s attempts without an answer count once a minute, and those of two orders separately', async () => {
  const [one, other] = [await started(), await started()]
  const clock = vi.spyOn(at.shop.clock, 'now').mockReturnValue(at.shop.clock.now())
  const away = new PaymentsUnavailable('away')
  for (const { order } of [one, other, one])
    await recordUnansweredAttempt(at.shop, { orderId: order, intentId: null }, away)
  clock.mockRestore()
  for (const { order } of [one, other]) expect(await outcomesOf(order)).toEqual([['unanswered', null]])
})

test('a payment that does not match its order stays on the owner’s list until all of it is refunded', async () => {
  const { order, intent } = await started()
  at.payments.reprice(intent, 600)
  at.payments.pay(intent)
  for (let round = 0; round < 2; round += 1) await hearOf(at, intent)
  expect(await outcomesOf(order)).toEqual([['misfit', 'another_sum']])
  expect(linesOf(order)).toHaveLength(1)
  expect(await selectUnsettledMismatches(at.shop.db, 10)).toMatchObject([
    { orderId: order, intentId: intent },
  ])
  at.payments.giveBack(intent)
  await hearOf(at, intent, undefined, 'charge.refunded')
  expect(await selectUnsettledMismatches(at.shop.db, 10)).toEqual([])
  expect((await selectOrder(at.shop.db, order))?.state).toBe('abandoned')

  const stranger = await at.payments.createPayment(
    { amountMinor: 500, metadata: { order: '6f1d0c1e-8a57-4c52-9a3d-0f3b6a0a9d11' } },
    'of another shop',
  )
  at.payments.pay(stranger.id)
  await reconcile(at.shop)
  expect(await selectUnsettledMismatches(at.shop.db, 10)).toMatchObject([
    { intentId: stranger.id, orderId: null },
  ])
  at.payments.giveBack(stranger.id)
  await reconcile(at.shop)
  expect(await selectUnsettledMismatches(at.shop.db, 10)).toEqual([])
})

test('only a provider that did not answer is an attempt without an answer, once a minute', async () => {
  const { order: orderId } = await started()
  const record = (error: unknown) => recordUnansweredAttempt(at.shop, { orderId }, error)
  for (const error of [new Error('a bug'), new ConcurrentRequest(), new NoProvider()]) await record(error)
  expect(await outcomesOf(orderId)).toEqual([])
  // To the first second of a minute.
  at.shop.clock.advance(60 - (Math.floor(at.shop.clock.now().getTime() / 1_000) % 60))
  await record(new PaymentsUnavailable())
  at.shop.clock.advance(58)
  await record(new PaymentsUnavailable())
  expect(await outcomesOf(orderId)).toEqual([['unanswered', null]])
  at.shop.clock.advance(2)
  await record(new PaymentsUnavailable())
  expect(await outcomesOf(orderId)).toHaveLength(2)
})

test('an order counts as paid once its payment goes through, and not for a refused attempt', async () => {
  const { buyer, ...begun } = await started()
  const paidOrders = () =>
    [...at.shop.metrics.orders.series].find(({ labels }) => labels.outcome === 'paid')?.value ?? 0
  const before = paidOrders()
  at.payments.decline(begun.intent)
  await comeBack(buyer, begun)
  expect(paidOrders()).toBe(before)
  at.payments.pay(begun.intent)
  await comeBack(buyer, begun)
  expect(paidOrders()).toBe(before + 1)
})
