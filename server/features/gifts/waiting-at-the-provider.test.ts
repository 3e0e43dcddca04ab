import { randomUUID } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLANS, type PlanId } from '#contract/plans.ts'
import { users } from '#server/db/schema/accounts.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { aBuyer, comeBack } from '#tests/support/purchases.ts'
import { type Member, membersShop, type MembersShop } from '#tests/support/members.ts'
import { runMembershipCalendar } from '../membership/membership-schedule.ts'
import { reconcileMemberships } from '../membership/sync-due-memberships.ts'
import { syncInvoicePayment } from '../membership/membership-refunds.ts'
import { monthsAfter } from '../membership/months.ts'
import { runGiftCalendar } from './gift-delivery.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
  await all.sandbox.control('account', { retries: '3,5,7', final_action: 'cancel' })
})
afterAll(() => all?.close())

/** The member's charges in pence. */
const charged = async ({ user }: Member) =>
  (await all.shop.db.select().from(orders).where(eq(orders.userId, user.id)).orderBy(asc(orders.paidAt))).map(
    ({ totalMinor }) => totalMinor,
  )
const spansOf = ({ user }: Member) =>
  all.shop.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, user.id))
    .orderBy(asc(subscriptions.periodStart))
const waits = async (member: Member) =>
  (await member.ask('GET', '/api/subscriptions/gifts')).json()['hydra:member'][0]
const on = (member: Member, path: string, payload: object = {}) =>
  member.ask('POST', `/api/subscriptions/${member.id}${path}`, payload)

/** Gives the member a membership, paid at the provider; the member claims it and it waits behind their own. */
async function keepsAGift(member: Member, plan: PlanId): Promise<void> {
  const { email, id } = member.user
  await all.shop.db.update(users).set({ confirmedAt: all.shop.now() }).where(eq(users.id, id))
  const giver = await aBuyer(all.shop)
  const wish = { gift: true, giftKey: randomUUID(), plan, giftEmail: email, startNow: true }
  const { id: order, paymentIntent } = (await giver.ask('POST', '/api/subscriptions', wish)).json()
  const intent = paymentIntent.split('_secret_')[0]
  await all.sandbox.confirm({ id: intent, clientSecret: paymentIntent })
  await comeBack(giver, { order, clientSecret: paymentIntent, intent })
  const given = await waits(member)
  const kept = (await member.ask('POST', `/api/subscriptions/gifts/${given.id}/claim`)).json()
  expect(kept).toMatchObject({ state: 'waiting', subscription: null })
}

/** Runs the jobs in an unusual order, some of them late. */
async function work(): Promise<void> {
  await runGiftCalendar(all.shop)
  await reconcileMemberships(all.shop)
  await runMembershipCalendar(all.shop)
  await runGiftCalendar(all.shop)
}

const payment = async (member: Member): Promise<string> => {
  const { latestInvoice } = await all.sandbox.billing.subscriptions.retrieve(await member.providerId())
  return (await all.sandbox.billing.invoices.retrieve(latestInvoice!)).payment!
}

/** How the member's own membership ends, and the charges for it in pence. */
const ENDS: Readonly<Record<string, readonly [(member: Member) => Promise<unknown>, readonly number[]]>> = {
  'is cancelled': [
    async (member) => {
      await on(member, '/cancel')
      expect(new Date((await waits(member)).startsAt)).toEqual((await spansOf(member))[0]!.validUntil)
      await all.pass('P32D')
    },
    [800],
  ],
  'changes to another rhythm, goes on, and is cancelled': [
    async (member) => {
      await member.ask('PATCH', `/api/subscriptions/${member.id}`, { plan: 5 })
      await all.pass('P32D')
      await work()
      expect(await waits(member)).toMatchObject({ state: 'waiting', startsAt: null })
      expect(await member.current()).toMatchObject({ plan: 5 })
      await on(member, '/cancel')
      await all.pass('P366D')
    },
    [800, 8000],
  ],
  'is cancelled, resumed, and cancelled again': [
    async (member) => {
      await on(member, '/cancel')
      await member.ask('PATCH', `/api/subscriptions/${member.id}`, { canceledAt: null })
      await all.pass('P32D')
      await work()
      expect(await waits(member)).toMatchObject({ state: 'waiting', startsAt: null })
      await on(member, '/cancel')
      await all.pass('P32D')
    },
    [800, 800],
  ],
  'fails its payment for good': [
    async (member) => {
      await all.bank(member, 'generic_decline')
      await all.pass('P32D')
      await work()
      // A pending payment does not end the membership: it may still succeed.
      expect(await waits(member)).toMatchObject({ state: 'waiting' })
      await all.pass('P30D')
    },
    [800],
  ],
  'is refunded': [
    async (member) => {
      await all.pass('P3D')
      const paid = await payment(member)
      await all.sandbox.payments.refundPayment(paid, {}, `all:${paid}`)
      await syncInvoicePayment(all.shop, paid)
    },
    [800],
  ],
  'is withdrawn from': [
    async (member) => {
      await all.pass('P2D')
      const { withdrawal } = (await member.ask('GET', `/api/subscriptions/${member.id}/details`)).json()
      expect((await on(member, '/withdraw', { amount: withdrawal.amount })).statusCode).toBe(200)
    },
    [800],
  ],
}

test.each(Object.entries(ENDS))(
  'GIFT-18: a gift that waits behind a membership that %s begins automatically at its very end, and is never charged',
  async (_how, [ends, paid]) => {
    const member = await all.member(4)
    await keepsAGift(member, 1)
    await ends(member)
    await work()
    const [own, gift, ...more] = await spansOf(member)
    expect(more).toEqual([])
    expect(own).toMatchObject({ gift: false, status: 'canceled' })
    expect(gift).toMatchObject({
      gift: true,
      plan: 1,
      providerId: null,
      periodStart: own!.endedAt,
      periodEnd: monthsAfter(own!.endedAt!, PLANS[1].months),
    })
    expect(own!.validUntil).toEqual(own!.endedAt)
    // The gift ends automatically too, and nothing follows.
    await all.pass('P40D')
    await work()
    expect(await member.current()).toBeNull()
    expect(await charged(member)).toEqual(paid)
    expect(await spansOf(member)).toHaveLength(2)
  },
)

test('a gift that waits behind a free trial begins when the trial ends, and the trial is never charged', async () => {
  const member = await all.trial()
  await keepsAGift(member, 5)
  await on(member, '/cancel')
  await all.pass('P31D')
  await work()
  const [trial, gift] = await spansOf(member)
  expect(gift).toMatchObject({ gift: true, plan: 5, periodStart: trial!.endedAt })
  expect(await charged(member)).toEqual([])
})
