import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as joining from '#contract/joining.ts'
import { users } from '#server/db/schema/accounts.ts'
import { discounts } from '#server/db/schema/discounts.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { aBuyer, type Buyer, fillBag } from '#tests/support/purchases.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'
import { syncSetUp } from './payment-methods.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
  await all.shop.db.insert(discounts).values([
    { code: 'HALF', type: 'subscription', percent: 50 },
    { code: 'QUARTER', type: 'subscription', percent: 25, duration: 'repeating', durationMonths: 3 },
    { code: 'FREEMONTH', type: 'subscription', percent: 100 },
  ])
})
afterAll(() => all?.close())

const TRIAL = '/api/subscriptions/create_trial_subscription'
const join = (buyer: Buyer, more: object = {}) =>
  buyer.ask('POST', '/api/subscriptions', { plan: 4, startNow: true, ...more })
const intentOf = (secret: string) => ({ id: secret.split('_secret_')[0]!, clientSecret: secret })
const ordersOf = (buyer: Buyer) => all.shop.db.select().from(orders).where(eq(orders.userId, buyer.user.id))

async function aJoin() {
  const buyer = await aBuyer(all.shop)
  const answer = await join(buyer, { amount: 8 })
  const joined = answer.json()
  return { buyer, answer, joined, member: memberOf(all.shop, buyer, joined.id) }
}

async function aPaidJoin() {
  const started = await aJoin()
  const { joined, member } = started
  await all.sandbox.confirm(intentOf(joined.paymentIntent))
  await Promise.all([member.settle(), member.settle(), member.settle()])
  return started
}

test('API-77 ENT-15: a join returns the payment to confirm, and a repeated one the same subscription', async () => {
  const { buyer, answer, joined, member } = await aJoin()
  expect(answer.statusCode).toBe(201)
  expect(misfits(joining.createSubscription.reply, joined)).toEqual([])
  expect(joined).toMatchObject({ amount: 8, done: false, paymentIntent: expect.stringMatching(/^pi_/) })
  expect((await join(buyer)).json()).toMatchObject({ id: joined.id, paymentIntent: joined.paymentIntent })
  expect(await member.current()).toBeNull()
})

test('a repeated join stores the newest choices: its bag, and whether to save the card', async () => {
  const buyer = await aBuyer(all.shop)
  const { slug } = await anAudioBook(all.shop, { priceMinor: 1100 })
  const cart = await fillBag(buyer, [{ slug, kind: 'audio_books' }])
  const stored = async (more: object) => {
    const { id } = (await join(buyer, more)).json()
    const [row] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, id))
    return [id, row!.savesCard, row!.cartId]
  }
  const first = await stored({})
  const [id] = first
  expect(first).toEqual([id, false, null])
  expect(await stored({ cart, saveCard: true })).toEqual([id, true, cart])
  expect(await stored({})).toEqual([id, false, null])
})

test('a trial saves its card for purchases only if the request says so', async () => {
  const buyer = await aBuyer(all.shop)
  const stored = async (more: object) => {
    const { id } = (await buyer.ask('POST', TRIAL, { startNow: true, ...more })).json()
    const [row] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, id))
    return row!.savesCard
  }
  expect([await stored({}), await stored({ saveCard: true })]).toEqual([false, true])
})

test('a trial needs no consent, but the price and the days that its page showed', async () => {
  const buyer = await aBuyer(all.shop)
  const status = async (body: object) => (await buyer.ask('POST', TRIAL, body)).statusCode
  expect([await status({ price: 9, days: 30 }), await status({ price: 8, days: 14 })]).toEqual([409, 409])
  expect(await status({ price: 8, days: 30 })).toBe(201)
  expect(await status({})).toBe(201)
})

test('a pending join stores how long its code applies', async () => {
  const stored = async (couponCode: string) => {
    const { id } = (await join(await aBuyer(all.shop), { couponCode })).json()
    const [row] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, id))
    return [row!.percentDiscount, row!.discountDuration, row!.discountDurationMonths]
  }
  expect(await stored('HALF')).toEqual([50, 'once', null])
  expect(await stored('QUARTER')).toEqual([25, 'repeating', 3])
})

test('a pending join whose plan had another price then is replaced by a new one', async () => {
  const { buyer, joined } = await aJoin()
  await all.shop.db.update(subscriptions).set({ priceMinor: 700 }).where(eq(subscriptions.id, joined.id))
  expect((await join(buyer)).json()).toMatchObject({ id: expect.not.stringMatching(joined.id), amount: 8 })
})

test('a join that was paid but is not synced yet is done when it is repeated', async () => {
  const { buyer, joined } = await aJoin()
  await all.sandbox.confirm(intentOf(joined.paymentIntent))
  expect((await join(buyer)).json()).toMatchObject({ id: joined.id, done: true, paymentIntent: null })
})

test('a join whose subscription ends at the provider before it is paid is tried twice, then refused', async () => {
  const { subscriptions: atProvider } = all.shop.billing
  const { create, end } = atProvider
  const ended: string[] = []
  atProvider.create = async (...of) => {
    const { id } = await create(...of)
    ended.push(id)
    return end(id)
  }
  const answer = await join(await aBuyer(all.shop))
  atProvider.create = create
  expect(answer.statusCode).toBe(409)
  expect(new Set(ended).size).toBe(2)
})

test('API-77 ENT-15: a paid join makes a member at once, with a credit and an email', async () => {
  const { buyer, joined, member } = await aPaidJoin()
  expect(await member.current()).toMatchObject({
    id: joined.id,
    plan: 4,
    status: 'active',
    payment: { type: 'card', amount: 8 },
    cardLast4: '4242',
    orderItem: expect.any(String),
  })
  expect((await buyer.ask('GET', '/api/logged-user')).json()).toMatchObject({ hasCredit: true })
  expect(await all.mailsTo(buyer)).toEqual(['Welcome to Murmur membership'])
})

test('a paid join is charged once, with one order and one invoice', async () => {
  const { buyer, joined } = await aPaidJoin()
  expect(await ordersOf(buyer)).toMatchObject([{ state: 'paid', totalMinor: 800, vatMinor: 133 }])
  const { invoices } = (await buyer.ask('GET', `/api/subscriptions/${joined.id}/invoice`)).json()
  expect(invoices).toMatchObject([{ amount: 8, refunded: 0, plan: 4 }])
})

test('the return page names the subscription to its member only', async () => {
  const { buyer, joined } = await aPaidJoin()
  const { id: paymentIntent, clientSecret } = intentOf(joined.paymentIntent)
  const back = async (who: Buyer) =>
    (await who.ask('POST', '/api/payments/return', { paymentIntent, clientSecret })).json()
  expect(await back(buyer)).toMatchObject({ outcome: 'paid', order: null, subscription: joined.id })
  expect(await back(await aBuyer(all.shop))).toMatchObject({ order: null, subscription: null })
})

test('a member can’t join again', async () => {
  const { buyer } = await aPaidJoin()
  const again = await join(buyer)
  expect(again.statusCode).toBe(422)
  expect(again.json()).toMatchObject({
    'hydra:description': 'User already has an active subscription',
    reason: 'already_member',
  })
})

test('two concurrent joins create one subscription; joining another plan cancels the pending one', async () => {
  const buyer = await aBuyer(all.shop)
  const [one, two] = (await Promise.all([join(buyer), join(buyer)])).map((answer) => answer.json())
  expect(one.paymentIntent).toBe(two.paymentIntent)
  const other = (await join(buyer, { plan: 1 })).json()
  expect(other.id).not.toBe(one.id)
  expect((await all.sandbox.confirm(intentOf(one.paymentIntent))).error).toBeTruthy()
  await all.sandbox.confirm(intentOf(other.paymentIntent))
  await memberOf(all.shop, buyer, other.id).settle()
  expect(
    await all.shop.db
      .select({ plan: subscriptions.plan, status: subscriptions.status })
      .from(subscriptions)
      .where(eq(subscriptions.userId, buyer.user.id))
      .orderBy(sql`status`),
  ).toEqual([
    { plan: 1, status: 'active' },
    { plan: 4, status: 'incomplete_expired' },
  ])
})

test('a trial without a card never was a membership: no email says that it has ended', async () => {
  const buyer = await aBuyer(all.shop)
  const begun = (await buyer.ask('POST', TRIAL, { startNow: true })).json()
  const joined = (await join(buyer)).json()
  await all.sandbox.confirm(intentOf(joined.paymentIntent))
  const [trial, member] = [begun, joined].map(({ id }) => memberOf(all.shop, buyer, id))
  for (const each of [trial!, member!, trial!]) await each.settle()
  expect(await member!.current()).toMatchObject({ id: joined.id, status: 'active' })
  expect(await all.mailsTo(buyer)).toEqual(['Welcome to Murmur membership'])
})

test('a trial that started but is not synced yet is kept: the account can’t join a second time', async () => {
  const trial = await all.trial()
  const own = eq(subscriptions.id, trial.id)
  // Back to the state before the sync, which the database refuses otherwise.
  await all.shop.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`)
    await tx.update(subscriptions).set({ status: 'incomplete' }).where(own)
  })
  expect((await join(trial)).statusCode).toBe(422)
  expect(await trial.current()).toMatchObject({ id: trial.id, status: 'trialing' })
})

test('the total that the page shows is charged, including a code; consent is required', async () => {
  const buyer = await aBuyer(all.shop)
  expect((await join(buyer, { amount: 7 })).statusCode).toBe(409)
  for (const startNow of [false, undefined]) expect((await join(buyer, { startNow })).statusCode).toBe(422)
  expect((await join(buyer, { plan: 3 })).statusCode).toBe(422)
  expect((await join(buyer, { couponCode: 'NOSUCHCODE' })).json()).toMatchObject({
    'hydra:description': 'This discount code is not valid',
  })
  const joined = (await join(buyer, { couponCode: 'half', amount: 4 })).json()
  await all.sandbox.confirm(intentOf(joined.paymentIntent))
  const member = memberOf(all.shop, buyer, joined.id)
  await member.settle()
  expect(await member.current()).toMatchObject({ percentDiscount: 50, payment: { amount: 8 } })
  expect(await ordersOf(buyer)).toMatchObject([
    { totalMinor: 400, beforeDiscountMinor: 800, couponCode: 'HALF', percentDiscount: 50 },
  ])
})

test('codes can’t be guessed: twenty unknown ones an hour are allowed, existing ones are not counted', async () => {
  const buyer = await aBuyer(all.shop)
  const joined = (await join(buyer, { couponCode: 'HALF' })).json()
  await all.sandbox.confirm(intentOf(joined.paymentIntent))
  await memberOf(all.shop, buyer, joined.id).settle()
  const said = async (couponCode: string, times: number) => {
    const answers = new Set<number>()
    for (let time = 0; time < times; time += 1) answers.add((await join(buyer, { couponCode })).statusCode)
    return [...answers]
  }
  // Refused because it was used already, but it exists.
  expect(await said('HALF', 21)).toEqual([422])
  expect(await said('NOSUCHCODE', 20)).toEqual([422])
  expect(await said('HALF', 1)).toEqual([429])
})

test('API-79: a code that pays in full starts a membership without a card, once for each account', async () => {
  const buyer = await aBuyer(all.shop)
  await all.shop.db.update(users).set({ countryCode: 'IE' }).where(eq(users.id, buyer.user.id))
  const free = (code: string) =>
    buyer.ask('POST', '/api/subscriptions/create-without-payment', {
      plan: 4,
      couponCode: code,
      startNow: true,
    })
  expect((await free('HALF')).statusCode).toBe(422)
  expect(await ordersOf(buyer)).toEqual([])
  const waits = (await join(buyer, { plan: 1 })).json()
  const answer = await free('FREEMONTH')
  expect(answer.statusCode).toBe(201)
  const [left] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, waits.id))
  expect(left!.status).toBe('incomplete_expired')
  expect((await all.sandbox.confirm(intentOf(waits.paymentIntent))).error).toBeTruthy()
  expect(answer.json()).toMatchObject({ status: 'active', payment: null, cardLast4: null })
  expect(await ordersOf(buyer)).toMatchObject([
    { totalMinor: 0, state: 'paid', couponCode: 'FREEMONTH', waiverAt: null, countryCode: 'IE' },
  ])
  const [order] = (await buyer.ask('GET', '/api/order_carts')).json()['hydra:member']
  expect(order.orderItems[0]).toMatchObject({ title: 'Reader, monthly', couponCode: 'FREEMONTH' })
  expect((await all.lettersTo(buyer)).at(-1)!.text).toContain('You’re a member: Reader, monthly.')
  expect((await free('FREEMONTH')).json()).toMatchObject({
    'hydra:description': 'User already has an active subscription',
  })
})

test('API-78 MEMB-05: a trial stores a card and is 30 days at £0 with a credit, once for each account and card', async () => {
  const buyer = await aBuyer(all.shop)
  const trial = async (who: Buyer) => (await who.ask('POST', TRIAL, { startNow: true })).json()
  expect((await buyer.ask('POST', TRIAL, { startNow: false })).statusCode).toBe(422)
  const begun = await trial(buyer)
  expect(begun).toMatchObject({ amount: 0, done: false, paymentIntent: expect.stringContaining('seti_') })
  const card = '5555555555554444'
  const comeBack = async (who: Buyer, secret: string) =>
    (
      await who.ask('POST', '/api/set_ups/return', {
        setupIntent: secret.split('_secret_')[0],
        clientSecret: secret,
      })
    ).json()
  expect(await comeBack(buyer, begun.paymentIntent)).toMatchObject({ outcome: 'open' })
  await all.sandbox.confirmSetUp(intentOf(begun.paymentIntent), card)
  expect(await comeBack(buyer, begun.paymentIntent)).toEqual({ outcome: 'done', subscription: begun.id })
  expect(await memberOf(all.shop, buyer, begun.id).current()).toMatchObject({
    status: 'trialing',
    plan: 4,
    cardLast4: '4444',
    payment: { type: 'card', amount: 8 },
  })
  expect((await buyer.ask('GET', '/api/logged-user')).json()).toMatchObject({ hasCredit: true })
  expect(await ordersOf(buyer)).toEqual([])
  expect(await all.mailsTo(buyer)).toEqual(['Your free trial has started'])

  const other = await aBuyer(all.shop)
  const second = await trial(other)
  await all.sandbox.confirmSetUp(intentOf(second.paymentIntent), card)
  // The webhook event may come before the return page, and asking twice returns the same result.
  await syncSetUp(all.shop, intentOf(second.paymentIntent).id)
  for (let asked = 0; asked < 2; asked += 1)
    expect(await comeBack(other, second.paymentIntent)).toMatchObject({ outcome: 'trial_used' })
  expect(await memberOf(all.shop, other, second.id).current()).toBeNull()
})
