import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { PaymentsUnavailable } from '#server/outside/stripe/problems.ts'
import { aBuyer, type Buyer, type PayingShop, payingShop } from '#tests/support/a-purchase.ts'
import { aRecipient, anAccountOf, give, mailedTo } from '#tests/support/given.ts'
import { repayGifts } from './take-back.ts'

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
/** What was given last. */
const takeBack = async () =>
  giver.ask('POST', `/api/subscriptions/given/${(await given())[0].id}/take-back`, {})

test('money that goes back in the provider’s office at that very moment is no failure, and goes back once', async () => {
  const { intent } = await give(at, giver, { giftEmail: aRecipient() })
  at.payments.onCall = (call, when) => {
    if (call === 'refundPayment' && when === 'before') at.payments.giveBack(intent)
  }
  const answer = await takeBack()
  expect([answer.statusCode, answer.json().state]).toEqual([200, 'refunded'])
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(8000)
})

test('taken back while the provider is away it says so, nobody can claim it any more, and a later run pays', async () => {
  const email = aRecipient()
  const { intent } = await give(at, giver, { giftEmail: email })
  const { token } = await mailedTo(at.shop, email)
  at.payments.onCall = (call) => {
    if (call === 'refundPayment') throw new PaymentsUnavailable('away')
  }
  expect((await takeBack()).statusCode).toBe(503)
  const recipient = await anAccountOf(at.shop, email)
  expect((await recipient.ask('POST', `/api/subscriptions/claim/${token}`)).statusCode).toBe(404)
  at.payments.onCall = () => undefined
  for (let twice = 0; twice < 2; twice++) await repayGifts(at.shop)
  expect(at.payments.made.get(intent)!.refundedMinor).toBe(8000)
  expect(await given()).toMatchObject([{ state: 'refunded' }])
})
