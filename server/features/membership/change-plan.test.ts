import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as changes from '#contract/membership-changes.ts'
import { mails } from '#server/db/schema/mails.ts'
import { credits } from '#server/db/schema/membership.ts'
import { misfits } from '#tests/support/schema-mismatches.ts'
import { type Member, membersShop, type MembersShop } from '#tests/support/members.ts'
import { changePlan, previewPlanChange } from './change-plan.ts'
import { reconcileMemberships } from './sync-due-memberships.ts'

let all: MembersShop
beforeAll(async () => {
  all = await membersShop()
})
afterAll(() => all?.close())

const change = (member: Member, payload: object) =>
  member.ask('PATCH', `/api/subscriptions/${member.id}`, payload)
const preview = async (member: Member, plan: number) =>
  (await member.ask('POST', `/api/subscriptions/${member.id}/preview`, { plan })).json()
const details = async (member: Member) =>
  (await member.ask('GET', `/api/subscriptions/${member.id}/details`)).json()
const left = async (member: Member): Promise<number> => (await details(member)).credits.left
const charged = async (member: Member): Promise<number[]> => {
  const path = `/api/subscriptions/${member.id}/invoice`
  const { invoices }: { invoices: { amount: number }[] } = (await member.ask('GET', path)).json()
  return invoices.map(({ amount }) => amount).toReversed()
}

test('MEMB-40: an upgrade ends a planned change, and its preview says so', async () => {
  const member = await all.member(4)
  await change(member, { plan: 6 })
  const planned = (await details(member)).pendingPlan
  const shown = await preview(member, 1)
  expect(misfits(changes.previewChange.reply, shown)).toEqual([])
  expect(shown).toMatchObject({ when: 'now', ends: planned, nextPayment: { amount: 12 } })
  expect(await preview(member, 7)).toMatchObject({ when: 'period_end', ends: planned })
  expect((await change(member, { plan: 1 })).json()).toMatchObject({ plan: 1 })
  expect(await details(member)).toMatchObject({
    pendingPlan: null,
    droppedPlan: null,
    nextPayment: { plan: 1, amount: 12 },
  })
  expect((await preview(member, 6)).ends).toBeNull()
  await all.pass('P31D')
  await all.pass('PT2H')
  await member.settle()
  expect(await member.current()).toMatchObject({ plan: 1, status: 'active' })
  expect((await charged(member)).at(-1)).toBe(12)
})

test('an upgrade that the bank refused leaves the planned change as it was', async () => {
  const member = await all.member(4)
  await change(member, { plan: 6 })
  await all.bank(member, 'generic_decline')
  expect((await change(member, { plan: 1 })).statusCode).toBe(422)
  expect(await details(member)).toMatchObject({ subscription: { plan: 4 }, pendingPlan: { plan: 6 } })
})

test('after a refused card the same request tries again, and charges once', async () => {
  const member = await all.member(4)
  await all.pass('P10D')
  const { amount, reckonedAt } = await preview(member, 1)
  await all.bank(member, 'generic_decline')
  const press = () => change(member, { plan: 1, amount, reckonedAt })
  expect((await press()).statusCode).toBe(422)
  // No open payment is left at the provider that could change the plan later without the member knowing.
  expect(await all.sandbox.billing.subscriptions.retrieve(await member.providerId())).toMatchObject({
    unpaidChange: null,
  })
  await all.bank(member, 'pass')
  const answers = await Promise.all([press(), press()])
  expect(answers.some(({ statusCode }) => statusCode === 200)).toBe(true)
  expect(await member.current()).toMatchObject({ plan: 1 })
  expect(await charged(member)).toEqual([8, amount])
})

test('an upgrade grants the difference for the current month at once, and later months by the new plan', async () => {
  const member = await all.member(6)
  expect(await left(member)).toBe(0)
  await change(member, { plan: 4 })
  expect(await left(member)).toBe(1)
  await all.pass('P3D')
  await change(member, { plan: 1 })
  expect(await left(member)).toBe(2)
  for (let told = 0; told < 3; told += 1) await member.settle()
  expect(await left(member)).toBe(2)
  expect(await all.mailsTo(member)).toContain('Your membership: Avid Reader, monthly')

  const yearly = await all.member(5)
  await all.pass('P40D')
  await change(yearly, { plan: 2 })
  expect(await left(yearly)).toBe(2)
  // The first month was the old plan's.
  expect(await all.shop.db.$count(credits, eq(credits.subscriptionId, yearly.id))).toBe(1 + 11 * 2)
})

test('after any sequence of upgrades and downgrades, a month grants no more than its largest plan', async () => {
  const member = await all.member(4)
  for (let month = 0; month < 2; month += 1) {
    await change(member, { plan: 1 })
    expect(await left(member)).toBe(2)
    // Downgrade at the end of the period, cancel that, and downgrade again.
    for (const plan of [4, 1, 4]) await change(member, { plan })
    expect(await left(member)).toBe(2)
    await all.pass('P31D')
    await all.pass('PT2H')
    await reconcileMemberships(all.shop)
    expect(await left(member)).toBe(1)
  }
})

test('refunding or disputing an upgrade revokes the free audiobook that it granted', async () => {
  const member = await all.member(6)
  await change(member, { plan: 4 })
  const subscription = await member.providerId()
  const { latestInvoice } = await all.sandbox.billing.subscriptions.retrieve(subscription)
  const { payment } = await all.sandbox.billing.invoices.retrieve(latestInvoice!)
  await all.sandbox.control(`payment_intents/${payment!}/dispute`, {})
  await reconcileMemberships(all.shop)
  const unspent = and(eq(credits.subscriptionId, member.id), isNull(credits.revokedAt))
  expect(await all.shop.db.$count(credits, unspent)).toBe(0)
})

test('a resumed member sees which planned change was ended by cancelling, and can choose it again', async () => {
  const member = await all.member(1)
  await change(member, { plan: 6 })
  const planned = (await details(member)).pendingPlan
  expect(planned).toMatchObject({ plan: 6 })
  await member.ask('POST', `/api/subscriptions/${member.id}/cancel`)
  expect(await details(member)).toMatchObject({ pendingPlan: null, droppedPlan: planned })
  await change(member, { canceledAt: null })
  expect(await details(member)).toMatchObject({ pendingPlan: null, droppedPlan: planned })
  const [resumed] = await all.shop.db
    .select()
    .from(mails)
    .where(and(eq(mails.recipient, member.user.email), eq(mails.kind, 'membership_resumed')))
  expect(resumed!.data).toMatchObject({ dropped: { at: planned.at } })
  await change(member, { plan: 6 })
  expect(await details(member)).toMatchObject({ pendingPlan: planned, droppedPlan: null })
  // After its day there is nothing left to choose again.
  await member.ask('POST', `/api/subscriptions/${member.id}/cancel`)
  await change(member, { canceledAt: null })
  await all.pass('P31D')
  await all.pass('PT2H')
  await member.settle()
  expect(await details(member)).toMatchObject({ pendingPlan: null, droppedPlan: null })
})

test('MEMB-40: an upgrade that charges nothing now is added to the next payment, and its preview says so', async () => {
  const member = await all.member(4)
  const quoted = (dueMinor: number, totalMinor: number) => {
    const quoteUpgrade = async () => ({ dueMinor, totalMinor, at: all.shop.clock.now() })
    const { billing } = all.shop
    const shop = {
      ...all.shop,
      billing: { ...billing, subscriptions: { ...billing.subscriptions, quoteUpgrade } },
    }
    return previewPlanChange(shop, member.user.id, member.id, 1)
  }
  const usual = await quoted(250, 250)
  expect(usual).toMatchObject({ amountMinor: 250, addedToNextPayment: false })
  expect(await quoted(0, 250)).toMatchObject({
    ...{ amountMinor: 0, addedToNextPayment: true },
    next: { amountMinor: usual.next.amountMinor + 250 },
  })
  expect(await quoted(0, 0)).toMatchObject({ addedToNextPayment: false, next: usual.next })
})

test('an upgrade costs what its preview of the last hour showed; without one, it is priced as of now', async () => {
  const member = await all.member(4)
  const now = all.shop.clock.now()
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const pricedAt = async (reckonedAt: Date | undefined) => {
    const asked: Date[] = []
    const { billing } = all.shop
    const quoteUpgrade = async (_id: string, _price: string, at: Date) => {
      asked.push(at)
      return { dueMinor: 250, totalMinor: 250, at: all.shop.clock.now() }
    }
    const shop = {
      ...all.shop,
      billing: { ...billing, subscriptions: { ...billing.subscriptions, quoteUpgrade } },
    }
    // Another total than the quoted one, so that nothing is charged.
    const change = { plan: 1, amountMinor: 1, reckonedAt } as const
    await expect(changePlan(shop, member.user.id, member.id, change)).rejects.toMatchObject({
      kind: 'outdated',
    })
    return asked
  }
  expect(await pricedAt(minutesAgo(30))).toEqual([minutesAgo(30)])
  expect(await pricedAt(minutesAgo(60))).toEqual([minutesAgo(60)])
  for (const unusable of [minutesAgo(61), minutesAgo(-1), undefined])
    expect(await pricedAt(unusable)).toEqual([now])
})

test('a request to upgrade is priced as of the time that its preview returned', async () => {
  const member = await all.member(4)
  const { reckonedAt } = await preview(member, 1)
  await all.pass('PT30M')
  const asked: Date[] = []
  const { subscriptions } = all.shop.billing
  const { quoteUpgrade } = subscriptions
  subscriptions.quoteUpgrade = async (id, price, at) => {
    asked.push(at)
    return quoteUpgrade(id, price, at)
  }
  // Another total than the quoted one, so that nothing is charged.
  const { statusCode } = await change(member, { plan: 1, amount: 1, reckonedAt })
  subscriptions.quoteUpgrade = quoteUpgrade
  expect([statusCode, asked]).toEqual([409, [new Date(reckonedAt)]])
})
