import { eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscriptions } from '#server/db/schema/membership.ts'
import type { Billing } from '#server/integrations/stripe/provider.ts'
import { membersShop, type MembersShop } from '#tests/support/members.ts'
import { syncInvoicePayment } from './membership-refunds.ts'
import { syncSubscription } from './sync-subscription.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

/** Another server, which receives the provider's responses only when `arrive` is called. */
function farAway() {
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const { billing } = all.shop
  const retrieve: Billing['subscriptions']['retrieve'] = async (id) => {
    const said = await billing.subscriptions.retrieve(id)
    answer()
    await arrived
    return said
  }
  const shop = {
    ...all.shop,
    db: drizzle(all.shop.database.pool),
    billing: { ...billing, subscriptions: { ...billing.subscriptions, retrieve } },
  }
  return { shop, answered, arrive }
}

test('a response that another server requested earlier and received later does not overwrite a newer one', async () => {
  const member = await all.member(4)
  const providerId = await member.providerId()
  const stored = async () => {
    const [row] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, member.id))
    return { isCancelled: row!.canceledAt !== null, plan: row!.plan }
  }
  const { shop, answered, arrive } = farAway()
  const late = syncSubscription(shop, providerId)
  await answered
  await all.sandbox.billing.subscriptions.cancel(providerId)
  await member.settle()
  expect(await stored()).toEqual({ isCancelled: true, plan: 4 })
  arrive()
  await late
  expect(await stored()).toEqual({ isCancelled: true, plan: 4 })

  const again = farAway()
  const newer = syncSubscription(again.shop, providerId)
  await again.answered
  again.arrive()
  await all.sandbox.billing.subscriptions.resume(providerId)
  await newer
  await member.settle()
  expect(await stored()).toEqual({ isCancelled: false, plan: 4 })
})

test('a renewal that two servers process at once, one of them slowly, becomes one order', async () => {
  const member = await all.member(4)
  const providerId = await member.providerId()
  await all.pass('P31D')
  const { shop, answered, arrive } = farAway()
  const late = syncSubscription(shop, providerId)
  await answered
  await all.pass('PT2H')
  await member.settle()
  arrive()
  await late
  const { invoices } = (await member.ask('GET', `/api/subscriptions/${member.id}/invoice`)).json()
  expect(invoices).toHaveLength(2)
  expect(await all.mailsTo(member)).toEqual([
    'Welcome to Murmur membership',
    'Your Murmur membership has been renewed',
  ])
})

test('a dispute’s state that another server requested earlier and received later does not overwrite a newer one', async () => {
  const member = await all.member(4)
  const invoices = all.sandbox.billing.invoices.list({ subscription: await member.providerId() })
  const { payment } = (await invoices[Symbol.asyncIterator]().next()).value
  const isSuspended = async () => {
    const [row] = await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, member.id))
    return row!.suspendedAt !== null
  }
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  const { payments } = all.shop
  const disputeDetailsOf: typeof payments.disputeDetailsOf = async (id) => {
    const said = await payments.disputeDetailsOf(id)
    answer()
    await arrived
    return said
  }
  const shop = {
    ...all.shop,
    db: drizzle(all.shop.database.pool),
    payments: { ...payments, disputeDetailsOf },
  }

  const dispute = await all.sandbox.control(`payment_intents/${payment}/dispute`)
  const late = syncInvoicePayment(shop, payment)
  await answered
  await all.sandbox.control(`disputes/${String(dispute.id)}/close`, { outcome: 'won' })
  await syncInvoicePayment(all.shop, payment)
  expect(await isSuspended()).toBe(false)
  arrive()
  await late
  expect(await isSuspended()).toBe(false)
  expect((await member.current()).status).toBe('active')
})
