import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { feedEvents } from '#server/db/schema/feed.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { membershipGifts } from '#server/db/schema/gifts.ts'
import { orders } from '#server/db/schema/orders.ts'
import { reconcile } from '#server/features/checkout/reconcile-payments.ts'
import { aBuyer, type Buyer, hearOf, type PayingShop, payingShop } from '#tests/support/purchases.ts'
import { signedIn } from '#tests/support/builders.ts'
import { aRecipient, anAccountOf, give, mailedTo } from '#tests/support/gifts.ts'
import { requestRefund } from '../refunds/service.ts'
import { runGiftCalendar } from './gift-delivery.ts'
import { membershipsGivenBy } from './given-gifts.ts'

let at: PayingShop
beforeAll(async () => {
  at = await payingShop()
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => at.shop.close())

const claimLink = (token: string) => `/api/subscriptions/claim/${token}`
const DAY_S = 86_400

/** A paid gift, by default of a month, with its giver and recipient. */
async function aGift(wish: object = {}) {
  const giver = await aBuyer(at.shop)
  const email = aRecipient()
  const { order, intent } = await give(at, giver, { giftEmail: email, plan: 4, ...wish })
  const recipient = await anAccountOf(at.shop, email)
  return { giver, recipient, order, intent, token: (await mailedTo(at.shop, email)).token }
}
type Given = Awaited<ReturnType<typeof aGift>>

const claim = ({ recipient, token }: Given) => recipient.ask('POST', claimLink(token))
const told = ({ intent }: Given) => hearOf(at, intent, undefined, 'charge.dispute.closed')
/** Logs in at the current test time: weeks may have passed since the last log-in. */
const asks = async ({ user }: Buyer, url: string) =>
  (await at.shop.app.inject({ url, headers: await signedIn(at.shop, user) })).json()
const current = ({ recipient }: Given) => asks(recipient, '/api/get-current-subscription')
const hasCredit = async ({ recipient }: Given) => (await asks(recipient, '/api/logged-user')).hasCredit
const sale = ({ giver, order }: Given) => asks(giver, `/api/order_carts/${order}`)
const stateOf = async ({ giver }: Given) =>
  (await asks(giver, '/api/subscriptions/given'))['hydra:member'][0].state
const rowOf = async ({ order }: Given) => {
  const [row] = await at.shop.db.select().from(membershipGifts).where(eq(membershipGifts.orderId, order))
  return row!
}
async function disputed(gift: Given): Promise<void> {
  at.payments.dispute(gift.intent)
  await hearOf(at, gift.intent, undefined, 'charge.dispute.created')
}

test('a dispute suspends a claimed gift; winning it restores the gift and its unspent credits without a refund', async () => {
  const gift = await aGift()
  await claim(gift)
  await disputed(gift)
  await reconcile(at.shop)
  expect(await current(gift)).toBeNull()
  expect(await hasCredit(gift)).toBe(false)
  expect(await sale(gift)).toMatchObject({ refundedAmount: 0 })
  at.payments.closeDispute(gift.intent, 'won')
  for (let times = 0; times < 2; times += 1) await told(gift)
  expect(await current(gift)).toMatchObject({ plan: 4, status: 'active' })
  expect(await hasCredit(gift)).toBe(true)
  expect(await sale(gift)).toMatchObject({ status: 'paid', refundedAmount: 0 })
  expect(await stateOf(gift)).toBe('claimed')
})

test('an unclaimed gift cannot be claimed during a dispute, and can be once the dispute is won', async () => {
  const gift = await aGift()
  await disputed(gift)
  expect((await claim(gift)).statusCode).toBe(404)
  at.payments.closeDispute(gift.intent, 'won')
  await told(gift)
  expect((await claim(gift)).json()).toMatchObject({ state: 'begun' })
})

test('a gift whose day comes during a dispute is sent, once, when the dispute is won', async () => {
  const day = new Date(at.shop.clock.now().getTime() + 3 * DAY_S * 1000).toISOString().slice(0, 10)
  const gift = await aGift({ giftDeliveryDate: day, giftTimeZone: 'Europe/London' })
  await disputed(gift)
  at.shop.clock.advance(10 * DAY_S)
  await runGiftCalendar(at.shop)
  expect((await rowOf(gift)).sentAt).toBeNull()
  at.payments.closeDispute(gift.intent, 'won')
  await told(gift)
  for (let times = 0; times < 2; times += 1) await runGiftCalendar(at.shop)
  expect((await mailedTo(at.shop, gift.recipient.user.email)).subjects).toHaveLength(1)
})

test('a lost dispute counts as a refund: the membership ends, and the gift waiting behind it begins', async () => {
  const gift = await aGift({ plan: 5 })
  await claim(gift)
  const next = await give(at, await aBuyer(at.shop), { giftEmail: gift.recipient.user.email, plan: 1 })
  const { token } = await mailedTo(at.shop, gift.recipient.user.email)
  expect((await gift.recipient.ask('POST', claimLink(token))).json()).toMatchObject({ state: 'waiting' })
  await disputed(gift)
  at.shop.clock.advance(20 * DAY_S)
  await runGiftCalendar(at.shop)
  expect(await current(gift)).toBeNull()
  at.payments.closeDispute(gift.intent, 'lost')
  for (let times = 0; times < 2; times += 1) await told(gift)
  expect(await sale(gift)).toMatchObject({ status: 'refunded', refundedAmount: 80 })
  expect(await rowOf(gift)).toMatchObject({ revokedAt: expect.any(Date) })
  expect(await stateOf(gift)).toBe('refunded')
  await runGiftCalendar(at.shop)
  expect(await current(gift)).toMatchObject({ plan: 1, gift: true, status: 'active' })
  expect((await mailedTo(at.shop, gift.recipient.user.email)).subjects).toContain('A gift was taken back')
  expect(await at.payments.retrievePayment(next.intent)).toMatchObject({ refundedMinor: 0 })
})

test('the recipient’s devices hear that an opened gift is suspended by a dispute, and that it is lost', async () => {
  const gift = await aGift()
  await claim(gift)
  const heard = async () => {
    const ofRecipient = eq(feedEvents.userId, gift.recipient.user.id)
    const events = await at.shop.db.select().from(feedEvents).where(ofRecipient).orderBy(feedEvents.sequence)
    return events.map(({ data }) => (data as { type: string }).type)
  }
  const before = await heard()
  await disputed(gift)
  const during = await heard()
  expect(during.slice(before.length)).toEqual(['membership'])
  at.payments.closeDispute(gift.intent, 'lost')
  await told(gift)
  expect((await heard()).slice(during.length)).toEqual(['membership', 'library'])
})

test('a dispute that cannot be fetched is counted as failed and does not stop the others', async () => {
  const [lost, won] = [await aGift(), await aGift()]
  await disputed(lost)
  await disputed(won)
  at.payments.closeDispute(won.intent, 'won')
  for (const list of ['listPayments', 'listReturned'] as const)
    vi.spyOn(at.payments, list).mockImplementation(async function* () {})
  vi.spyOn(at.shop.log, 'warn').mockReturnValue(undefined)
  const unknown = at.payments.made.get(lost.intent)!
  at.payments.made.delete(lost.intent)
  expect((await reconcile(at.shop)).failed).toBe(1)
  expect((await claim(won)).json()).toMatchObject({ state: 'begun' })
  at.payments.made.set(unknown.id, unknown)
  at.payments.closeDispute(lost.intent, 'lost')
  expect((await reconcile(at.shop)).failed).toBe(0)
  expect(await stateOf(lost)).toBe('refunded')
})

test('a withdrawn membership stays withdrawn when a dispute is won', async () => {
  const gift = await aGift()
  await claim(gift)
  const { id } = await current(gift)
  const { withdrawal } = await asks(gift.recipient, `/api/subscriptions/${id}/details`)
  at.shop.clock.advance(5 * DAY_S)
  const { amount } = (await asks(gift.recipient, `/api/subscriptions/${id}/details`)).withdrawal
  expect(amount).toBeLessThan(withdrawal.amount)
  const payload = { amount }
  const headers = await signedIn(at.shop, gift.recipient.user)
  const url = `/api/subscriptions/${id}/withdraw`
  expect((await at.shop.app.inject({ method: 'POST', url, headers, payload })).statusCode).toBe(200)
  await disputed(gift)
  at.payments.closeDispute(gift.intent, 'won')
  await told(gift)
  expect(await current(gift)).toBeNull()
  expect(await hasCredit(gift)).toBe(false)
})

test('a refund after the membership expired does not extend it into the one that followed', async () => {
  const gift = await aGift()
  await claim(gift)
  await give(at, await aBuyer(at.shop), { giftEmail: gift.recipient.user.email, plan: 5 })
  const { token } = await mailedTo(at.shop, gift.recipient.user.email)
  await gift.recipient.ask('POST', claimLink(token))
  at.shop.clock.advance(40 * DAY_S)
  // No job has recorded the end yet: the job that begins gifts ran first.
  await runGiftCalendar(at.shop)
  const next = await current(gift)
  expect(next).toMatchObject({ plan: 5 })
  at.payments.giveBack(gift.intent)
  await hearOf(at, gift.intent, undefined, 'charge.refunded')
  const [before] = await at.shop.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.id, (await rowOf(gift)).subscriptionId!))
  expect(before).toMatchObject({ status: 'canceled', validUntil: new Date(next.periodStart) })
})

test('reconciliation finds a closed dispute without a webhook event, also long after', async () => {
  const [won, lost] = [await aGift(), await aGift()]
  for (const gift of [won, lost]) {
    await claim(gift)
    await disputed(gift)
  }
  at.shop.clock.advance(12 * DAY_S)
  at.payments.closeDispute(won.intent, 'won')
  at.payments.closeDispute(lost.intent, 'lost')
  // Their payments and disputes are too old to be listed.
  vi.spyOn(at.payments, 'listPayments').mockImplementation(async function* () {})
  vi.spyOn(at.payments, 'listReturned').mockImplementation(async function* () {})
  await reconcile(at.shop)
  expect(await current(won)).toMatchObject({ status: 'active' })
  expect(await current(lost)).toBeNull()
  expect(await sale(lost)).toMatchObject({ status: 'refunded' })
})

test('a goodwill refund that is on its way to the giver is not refunded again by a withdrawal', async () => {
  const gift = await aGift({ plan: 7 })
  await claim(gift)
  const { id } = await current(gift)
  const shown = async () => (await asks(gift.recipient, `/api/subscriptions/${id}/details`)).withdrawal.amount
  expect(await shown()).toBe(30)
  const { order: orderId } = gift
  const request = { reason: 'owner', key: `goodwill:${orderId}`, orderId, amountMinor: 1000 } as const
  await requestRefund(at.shop.db, { ...request, lineIds: [], keepsLines: true }, at.shop.clock.now())
  expect(await shown()).toBe(20)
})

test('what was refunded to the giver already is not refunded again by a withdrawal', async () => {
  const gift = await aGift({ plan: 7 })
  await claim(gift)
  const { id } = await current(gift)
  await at.shop.db.update(orders).set({ refundedMinor: 1000 }).where(eq(orders.id, gift.order))
  const { withdrawal } = await asks(gift.recipient, `/api/subscriptions/${id}/details`)
  expect(withdrawal.amount).toBe(20)
})

test('a given membership is being sent until its email is delivered; only the demo stores it instead', async () => {
  const { giver, order } = await aGift()
  const stateIn = async (config: { demo: boolean; smtpUrl?: string }) => {
    const shop = { ...at.shop, config: { ...at.shop.config, smtpUrl: undefined, ...config } }
    return (await membershipsGivenBy(shop, giver.user.id)).map(({ state }) => state)
  }
  expect(await stateIn({ demo: true })).toEqual(['delivered'])
  expect(await stateIn({ demo: true, smtpUrl: 'smtp://localhost' })).toEqual(['sending'])
  expect(await stateIn({ demo: false })).toEqual(['sending'])
  const deliveredAt = at.shop.clock.now()
  await at.shop.db.update(membershipGifts).set({ deliveredAt }).where(eq(membershipGifts.orderId, order))
  expect(await stateIn({ demo: false })).toEqual(['delivered'])
})
