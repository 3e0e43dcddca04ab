import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { aBuyer, type Buyer, hearOf, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { aRecipient, anAccountOf, give, mailedTo } from '#tests/support/gifts.ts'
import { sendDueRefunds } from './refund-order-lines.ts'
import { selectOwedTo } from '../refunds/queries.ts'

let at: PayingShop
let giver: Buyer
beforeAll(async () => {
  at = await payingShop()
})
beforeEach(async () => {
  giver = await aBuyer(at.shop)
})
afterEach(() => {
  at.payments.onCall = () => undefined
})
afterAll(() => at.shop.close())

const given = async () => (await giver.ask('GET', '/api/subscriptions/given')).json()['hydra:member']
const takeBackPath = (id: string) => `/api/subscriptions/given/${id}/take-back`
const takeBack = async () => giver.ask('POST', takeBackPath((await given())[0].id), {})

test('a refund in the provider’s dashboard at the same moment is not a failure, and is not repeated', async () => {
  const { intent } = await give(at, giver, { giftEmail: aRecipient() })
  at.payments.onCall = (call, when) => {
    if (call === 'refundPayment' && when === 'before') at.payments.giveBack(intent)
  }
  const answer = await takeBack()
  expect([answer.statusCode, answer.json().state]).toEqual([200, 'refunded'])
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(8000)
})

test.each([
  ['the shop has heard of it', true],
  ['the shop has not heard of it yet', false],
])('of what went back in part before, the rest goes back, once, where %s', async (_what, heard) => {
  const { intent } = await give(at, giver, { giftEmail: aRecipient() })
  at.payments.giveBack(intent, 3000)
  if (heard) await hearOf(at, intent, undefined, 'charge.refunded')
  expect((await takeBack()).statusCode).toBe(200)
  for (let twice = 0; twice < 2; twice++) await sendDueRefunds(at.shop)
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(8000)
  expect(await given()).toMatchObject([{ state: 'refunded' }])
})

test('after a full refund the provider is not called again', async () => {
  const { intent } = await give(at, giver, { giftEmail: aRecipient() })
  const asked = takeBackPath((await given())[0].id)
  at.payments.onCall = (call) => {
    if (call === 'refundPayment') throw new PaymentsUnavailable('away')
  }
  expect((await giver.ask('POST', asked, {})).statusCode).toBe(200)
  at.payments.giveBack(intent)
  await hearOf(at, intent, undefined, 'charge.refunded')
  expect((await giver.ask('POST', asked, {})).statusCode).toBe(200)
  await sendDueRefunds(at.shop)
  expect(await given()).toMatchObject([{ state: 'refunded' }])
})

test('while the provider is down a gift is taken back at once, and its refund is owed and sent by a later run', async () => {
  const email = aRecipient()
  const { intent } = await give(at, giver, { giftEmail: email })
  const { token } = await mailedTo(at.shop, email)
  at.payments.onCall = (call) => {
    if (call === 'refundPayment') throw new PaymentsUnavailable('away')
  }
  expect((await takeBack()).json().state).toBe('refunded')
  expect(await selectOwedTo(at.shop.db, giver.user.id)).toMatchObject([{ amountMinor: 8000 }])
  const recipient = await anAccountOf(at.shop, email)
  expect((await recipient.ask('POST', `/api/subscriptions/claim/${token}`)).statusCode).toBe(404)
  at.payments.onCall = () => undefined
  // The job runs after five minutes; the giver's session lasts that long.
  at.shop.clock.advance(301)
  for (let twice = 0; twice < 2; twice++) await sendDueRefunds(at.shop)
  expect(await selectOwedTo(at.shop.db, giver.user.id)).toEqual([])
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(8000)
  expect(await given()).toMatchObject([{ state: 'refunded' }])
})
