import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { subscriptions } from '#server/db/schema/membership.ts'
import { eventCursor, providerEvents } from '#server/db/schema/orders.ts'
import type { Payments } from '#server/integrations/stripe/provider.ts'
import { PaymentsUnavailable } from '#server/integrations/stripe/problems.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { type Member, memberOf, membersShop, type MembersShop } from '#tests/support/members.ts'
import { followEvents } from './follow-events.ts'
import type { Shop } from '#server/shop.ts'

/** No webhook reaches this shop. */
let all: MembersShop
let members: Member[]
beforeAll(async () => {
  all = await membersShop()
  all.shop.app.log.level = 'silent'
  members = [await all.member(4), await all.member(4), await all.member(4)]
})
afterAll(() => all?.close())
beforeEach(async () => {
  await all.pass('PT5M')
  await followEvents(all.shop)
})

const renewal = async () => {
  await all.pass('P31D')
  await all.pass('PT2H')
}
const sold = async () =>
  Promise.all(
    members.map(async (member) => {
      const { invoices } = (await member.ask('GET', `/api/subscriptions/${member.id}/invoice`)).json()
      return (invoices as unknown[]).length
    }),
  )
const noted = async () => all.shop.db.$count(providerEvents)
const calls = async () => (await all.sandbox.control('calls')).calls as string[]

test('events without a webhook are read from the list, which costs calls for each event, not for each member', async () => {
  const before = await sold()
  await renewal()
  await calls()
  await followEvents(all.shop)
  expect(await sold()).toEqual(before.map((count) => count + 1))
  const asked = await calls()
  // One page of the list, then four calls for each membership and three for its payment.
  expect(asked.length).toBeLessThanOrEqual(1 + members.length * 7)

  await followEvents(all.shop)
  expect(await calls()).toEqual(['GET /v1/events'])
})

test('a refund is found without checking all memberships', async () => {
  const [member] = members
  const { latestInvoice } = await all.sandbox.billing.subscriptions.retrieve(await member!.providerId())
  const { payment } = await all.sandbox.billing.invoices.retrieve(latestInvoice!)
  await all.sandbox.payments.refundPayment(payment!, { amountMinor: 150 }, `part:${payment!}`)
  await all.pass('PT5M')
  await followEvents(all.shop)
  const { invoices } = (await member!.ask('GET', `/api/subscriptions/${member!.id}/invoice`)).json()
  expect(invoices[0]).toMatchObject({ refunded: 1.5 })
})

test('an event that appears behind younger ones is handled too', async () => {
  const [, late, young] = members
  for (const [amountMinor, member] of [
    [200, late],
    [300, young],
  ] as const) {
    const { latestInvoice } = await all.sandbox.billing.subscriptions.retrieve(await member!.providerId())
    const { payment } = await all.sandbox.billing.invoices.retrieve(latestInvoice!)
    await all.sandbox.payments.refundPayment(payment!, { amountMinor }, `behind:${payment!}`)
    await all.pass('PT5M')
  }
  const refunded = async (member: Member) =>
    (await member.ask('GET', `/api/subscriptions/${member.id}/invoice`)).json().invoices[0].refunded
  const begun = all.shop.clock.now().getTime() - 9 * 60_000
  const payments: Payments = {
    ...all.shop.payments,
    async *listEvents(span) {
      for await (const event of all.shop.payments.listEvents(span))
        if (event.createdAt.getTime() > begun) yield event
    },
  }
  await followEvents({ ...all.shop, payments })
  expect([await refunded(late!), await refunded(young!)]).toEqual([0, 3])
  await followEvents(all.shop)
  expect(await refunded(late!)).toBe(2)
})

test('another process continues where a stopped run ended', async () => {
  const before = await sold()
  await renewal()
  const { billing } = all.shop
  const stopping = new AbortController()
  const retrieve: typeof billing.subscriptions.retrieve = async (id) => {
    stopping.abort()
    return billing.subscriptions.retrieve(id)
  }
  const dying = {
    ...all.shop,
    billing: { ...billing, subscriptions: { ...billing.subscriptions, retrieve } },
  }
  await followEvents(dying, stopping.signal)
  const first = await noted()
  await followEvents(all.shop)
  expect(await noted()).toBeGreaterThan(first)
  expect(await sold()).toEqual(before.map((count) => count + 1))
})

test('a subscription that fails at the provider does not stop the others, and is tried again', async () => {
  const before = await sold()
  await renewal()
  const broken = await members[0]!.providerId()
  const { billing } = all.shop
  const shop: Shop = {
    ...all.shop,
    billing: {
      ...billing,
      subscriptions: {
        ...billing.subscriptions,
        async retrieve(id) {
          if (id === broken) throw new PaymentsUnavailable('500')
          return billing.subscriptions.retrieve(id)
        },
      },
    },
  }
  await followEvents(shop)
  expect(await sold()).toEqual([before[0], before[1]! + 1, before[2]! + 1])
  await followEvents(all.shop)
  expect(await sold()).toEqual(before.map((count) => count + 1))
})

test('while the provider is down, no event counts as read', async () => {
  const before = await sold()
  await renewal()
  const silent = async () => {
    throw new PaymentsUnavailable('down')
  }
  const [cursor] = await all.shop.db.select().from(eventCursor)
  const { billing } = all.shop
  const payments: Payments = {
    ...all.shop.payments,
    // oxlint-disable-next-line require-yield -- It fails before there is anything.
    async *listEvents() {
      await silent()
    },
  }
  await expect(followEvents({ ...all.shop, payments })).rejects.toThrow(PaymentsUnavailable)
  const invoices = { ...billing.invoices, paidBy: silent }
  const cut = { ...billing.subscriptions, retrieve: silent }
  const cutOff = { ...all.shop, billing: { ...billing, invoices, subscriptions: cut } }
  const problem: unknown = await followEvents(cutOff).catch((error: unknown) => error)
  expect(problem ?? new PaymentsUnavailable('')).toBeInstanceOf(PaymentsUnavailable)
  const [after] = await all.shop.db.select().from(eventCursor)
  expect(after!.settledUntil.getTime()).toBeLessThanOrEqual(cursor!.settledUntil.getTime() + 32 * 86_400_000)
  await followEvents(all.shop)
  expect(await sold()).toEqual(before.map((count) => count + 1))
})

test('a PayPal agreement that was revoked makes the shop sync the membership that it pays for', async () => {
  const buyer = await aBuyer(all.shop)
  const begun = (await buyer.ask('POST', '/api/subscriptions', { plan: 4, startNow: true })).json()
  const clientSecret: string = begun.paymentIntent
  const payment = { id: clientSecret.split('_secret_')[0]!, clientSecret }
  await all.sandbox.decide(await all.sandbox.confirmPayPal(payment, begun.returnUrl), 'approve')
  await buyer.ask('POST', '/api/payments/return', { paymentIntent: payment.id, clientSecret })
  const member = memberOf(all.shop, buyer, begun.id)
  const { method } = await all.sandbox.billing.subscriptions.retrieve(await member.providerId())
  await all.pass('PT5M')
  await followEvents(all.shop)
  await calls()
  await all.sandbox.control(`payment_methods/${method!.id}/revoke`)
  await all.pass('PT5M')
  await followEvents(all.shop)
  const asked = await calls()
  expect(asked).toContain('GET /v1/payment_methods/:id')
  expect(asked).toContain('GET /v1/subscriptions/:id')
})

test('deleting a customer at the provider ends the membership, and a renewed card shows its new number', async () => {
  const [gone, renewed] = members
  const { billing } = all.sandbox
  const { customer } = await billing.subscriptions.retrieve(await gone!.providerId())
  await billing.customers.erase(customer)
  const method = (await billing.subscriptions.retrieve(await renewed!.providerId())).method!
  await all.sandbox.control(`payment_methods/${method.id}/renew`, { last4: '4444' })
  await all.pass('PT5M')
  await followEvents(all.shop)
  const rowOf = async (id: string) =>
    (await all.shop.db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0]!
  expect(await rowOf(gone!.id)).toMatchObject({ status: 'canceled' })
  expect(await rowOf(renewed!.id)).toMatchObject({ status: 'active', cardLast4: '4444' })
})
