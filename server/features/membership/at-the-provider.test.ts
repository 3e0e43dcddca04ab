import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { users } from '#server/db/schema/accounts.ts'
import { feedEvents } from '#server/db/schema/feed.ts'
import { customers, subscriptions } from '#server/db/schema/membership.ts'
import { fakeBilling } from '#tests/support/fake-billing.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { type MembersShop, membersShop } from '#tests/support/members.ts'
import { reconcileMemberships } from './sync-due-memberships.ts'
import { syncSubscription } from './sync-subscription.ts'
import { syncCustomers } from './payment-methods.ts'
import { wrongPrices } from './join.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

test('a sync is published to the member’s devices if it changed something, and otherwise not', async () => {
  const member = await all.member()
  const published = () => all.shop.db.$count(feedEvents, eq(feedEvents.userId, member.user.id))
  const before = await published()
  await member.settle()
  expect(await published()).toBe(before)
  await all.sandbox.billing.subscriptions.cancel(await member.providerId())
  await member.settle()
  expect(await published()).toBe(before + 1)
  await all.forget(member)
})

/** Only this card gets as far as a charge; the others are refused before. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  pm_card_chargeCustomerFail: ['generic_decline'],
}

const join = async (paymentMethod: string) => {
  const buyer = await aBuyer(all.shop)
  const payload = { plan: 4, startNow: true, paymentMethod }
  const answer = await buyer.ask('POST', '/api/subscriptions', payload)
  return { buyer, status: answer.statusCode, body: answer.json(), payload }
}

test('ERR-03 API-79: the browser’s payment method is charged at once; an unusable one is refused, another can be tried', async () => {
  const joined = await join('pm_card_visa')
  expect(joined.status).toBe(201)
  expect(joined.body).toMatchObject({ done: true, paymentIntent: null, amount: 8 })
  const current = (await joined.buyer.ask('GET', '/api/get-current-subscription')).json()
  expect(current).toMatchObject({ status: 'active', plan: 4 })

  for (const bad of [
    'pm_card_chargeDeclinedExpiredCard',
    'pm_card_chargeCustomerFail',
    'pm_nobodys',
    'nonsense',
  ]) {
    const refused = await join(bad)
    expect({ bad, status: refused.status, ...refused.body }).toMatchObject({
      bad,
      status: 422,
      'hydra:description': 'Payment method not valid',
      reason: 'payment_method_invalid',
    })
    const { rows } = await all.shop.db.execute<{ reason: string }>(sql`
      select reason from payment_tries t join subscriptions s on s.id = t.subscription_id
      where s.user_id = ${refused.buyer.user.id} and t.outcome = 'refused'`)
    expect({ bad, reasons: rows.map(({ reason }) => reason) }).toEqual({ bad, reasons: REASONS[bad] ?? [] })
    const again = { ...refused.payload, paymentMethod: 'pm_card_visa' }
    const better = await refused.buyer.ask('POST', '/api/subscriptions', again)
    expect({ bad, ...better.json() }).toMatchObject({ bad, done: true })
  }
  const bank = await join('pm_card_authenticationRequired')
  expect(bank.body).toMatchObject({ done: false, paymentIntent: expect.stringMatching(/^pi_.*_secret_/) })
})

test('a changed email address or name is sent to the provider, and sent again after a failed call', async () => {
  const member = await all.member()
  const [{ customerId } = { customerId: '' }] = await all.shop.db
    .select()
    .from(customers)
    .where(eq(customers.userId, member.user.id))
  const calls: unknown[] = []
  let isAway = true
  const billing = {
    ...all.shop.billing,
    customers: {
      ...all.shop.billing.customers,
      update: async (id: string, change: object) => {
        if (isAway) throw new Error('away')
        calls.push([id, change])
        await all.shop.billing.customers.update(id, change)
      },
    },
  }
  const told = () =>
    syncCustomers({ ...all.shop, billing, log: { ...all.shop.log, warn: () => undefined } as never })
  await told()
  await all.shop.db
    .update(users)
    .set({ email: 'new@murmur.example', lastName: 'Newman' })
    .where(eq(users.id, member.user.id))
  await told()
  expect(calls).toEqual([])
  isAway = false
  await told()
  await told()
  expect(calls).toEqual([
    [customerId, { email: 'new@murmur.example', name: expect.stringMatching(/Newman$/) }],
  ])
})

test('MEMB-20: PayPal renewals use the mandate, and a revoked mandate counts as a failed payment', async () => {
  const buyer = await aBuyer(all.shop)
  const begun = (await buyer.ask('POST', '/api/subscriptions', { plan: 4, startNow: true })).json()
  const clientSecret: string = begun.paymentIntent
  const payment = { id: clientSecret.split('_secret_')[0]!, clientSecret }
  const asked = await all.sandbox.confirmPayPal(payment, begun.returnUrl)
  await all.sandbox.decide(asked, 'approve')
  await buyer.ask('POST', '/api/payments/return', { paymentIntent: payment.id, clientSecret })
  const statusOf = async () =>
    (
      await all.shop.database.pool.query(
        'select status, payment_type, provider_id from subscriptions where id = $1',
        [begun.id],
      )
    ).rows[0]
  const row = await statusOf()
  expect(row).toMatchObject({ status: 'active', payment_type: 'paypal' })
  await all.pass('P32D')
  await reconcileMemberships(all.shop)
  expect(await statusOf()).toMatchObject({ status: 'active' })
  const { method } = await all.sandbox.billing.subscriptions.retrieve(row.provider_id)
  await all.sandbox.control(`payment_methods/${method!.id}/revoke`)
  await all.pass('P32D')
  await reconcileMemberships(all.shop)
  expect(await statusOf()).toMatchObject({ status: 'past_due' })
})

test('an impossible state at the provider is logged for the owner and changes nothing; the webhook accepts it', async () => {
  const member = await all.member(4)
  await all.shop.db
    .update(subscriptions)
    .set({ status: 'canceled', endedAt: all.shop.clock.now() })
    .where(eq(subscriptions.id, member.id))
  const errors: unknown[] = []
  const log = { ...all.shop.log, error: (facts: unknown, words: string) => void errors.push([facts, words]) }
  const settled = await syncSubscription({ ...all.shop, log } as typeof all.shop, await member.providerId())
  expect(settled).toMatchObject({ id: member.id, status: 'canceled', supersededAt: null })
  expect(errors).toEqual([
    [{ subscription: member.id, from: 'canceled', to: 'active' }, 'a membership cannot change like this'],
  ])
  const contradictedBy = async () =>
    (await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, member.id)))[0]!.contradictedBy
  expect(await contradictedBy()).toBe('active')
  // The contradiction is stored until both sides agree.
  await all.sandbox.billing.subscriptions.end(await member.providerId())
  await reconcileMemberships(all.shop)
  expect(await contradictedBy()).toBe(null)
})

test('if a price is missing or differs at the provider, its plan can’t be joined; everything else works', async () => {
  const member = await all.member(6)
  expect(await wrongPrices(all.shop)).toEqual([])
  const key = 'plan_4'
  await all.sandbox.billing.prices.setUp([{ key, name: 'Reader Monthly', amountMinor: 900, months: 1 }])
  expect(await wrongPrices(all.shop)).toEqual(['Reader Monthly'])
  const refused = await join('pm_card_visa')
  expect([refused.status, refused.body['hydra:description']]).toEqual([
    422,
    'You can’t start this plan at the moment. Please try again later.',
  ])
  const other = await aBuyer(all.shop)
  expect((await other.ask('POST', '/api/subscriptions', { plan: 6, startNow: true })).statusCode).toBe(201)
  expect(await member.current()).toMatchObject({ status: 'active' })
})

test('a subscription at the provider that names no membership of this shop is ignored', async () => {
  const billing = fakeBilling()
  const { create } = billing.subscriptions
  const settled = async (metadata: Record<string, string>) => {
    const { id } = await create({ customer: 'cus_other', price: 'plan_4', metadata }, 'other')
    return syncSubscription({ ...all.shop, billing }, id)
  }
  expect(await settled({})).toBeUndefined()
  expect(await settled({ subscription: 'of-another-shop' })).toBeUndefined()
  expect(await settled({ subscription: randomUUID() })).toBeUndefined()
})

test('a second subscription that the provider made for a membership is ignored, whichever is known first', async () => {
  const billing = fakeBilling()
  const { user } = await aBuyer(all.shop)
  const now = all.shop.clock.now()
  const [row] = await all.shop.db
    .insert(subscriptions)
    .values({
      ...{ userId: user.id, plan: 4, status: 'incomplete' },
      ...{ periodStart: now, periodEnd: now, validUntil: now },
    })
    .returning()
  const made = () =>
    billing.subscriptions.create(
      { customer: 'cus_twice', price: 'plan_4', metadata: { subscription: row!.id } },
      randomUUID(),
    )
  const [one, other] = [await made(), await made()]
  for (const { id } of [one, other, one])
    expect(await syncSubscription({ ...all.shop, billing }, id)).toMatchObject({
      id: row!.id,
      providerId: one.id,
    })
})

test('renewals and refused renewals are counted once each, however often they are synced', async () => {
  const member = await all.member(6)
  const counted = () => {
    const series = [...all.shop.metrics.renewals.series]
    const of = (outcome: string) => series.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
    return { paid: of('paid'), refused: of('refused') }
  }
  const before = counted()
  const renew = async () => {
    await all.pass('P31D')
    await all.pass('PT2H')
    for (let time = 0; time < 3; time += 1) await member.settle()
  }
  await renew()
  expect(counted()).toEqual({ ...before, paid: before.paid + 1 })
  await all.bank(member, 'generic_decline')
  await renew()
  expect(counted()).toEqual({ paid: before.paid + 1, refused: before.refused + 1 })
})
