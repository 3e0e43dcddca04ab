import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credits } from '#server/db/schema/membership.ts'
import { orders } from '#server/db/schema/orders.ts'
import { aMembership } from '#tests/support/membership-rows.ts'
import { aPaidMembership } from '#tests/support/paid-membership.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import type { BusinessTime } from '../../clock.ts'
import { daysAfter } from './months.ts'
import { selectAnySubscription, type SubscriptionRow } from './queries.ts'
import { detailsOf } from './service.ts'
import { leftAfterChoice } from './withdrawal-amounts.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const { periodStart: BEGAN, periodEnd: ENDS } = aMembership()
const NEXT_DAY = daysAfter(BEGAN, 1) as BusinessTime

/** The details of a membership whose first month, which began yesterday, has been paid. */
async function details(more: Partial<SubscriptionRow> = {}) {
  const { id, userId } = await aPaidMembership(shop, more)
  return detailsOf(shop, userId, id, NEXT_DAY)
}

test('the order line of a membership is the one that paid for its current period', async () => {
  expect((await details()).orderItem).toEqual(expect.any(String))
  expect((await details({ periodStart: ENDS, periodEnd: daysAfter(ENDS, 30) })).orderItem).toBeNull()
  expect((await details({ periodStart: daysAfter(BEGAN, -31), periodEnd: BEGAN })).orderItem).toBeNull()
})

test('a membership that was withdrawn from or has ended offers no withdrawal', async () => {
  expect((await details()).withdrawal).toMatchObject({ amountMinor: 774 })
  expect((await details({ withdrawnAt: NEXT_DAY })).withdrawal).toBeNull()
  expect((await details({ status: 'canceled', endedAt: NEXT_DAY })).withdrawal).toBeNull()
})

test('a membership ended unpaid only if it had begun, and if a charge failed before its end', async () => {
  const ended = { status: 'canceled', endedAt: NEXT_DAY, paymentFailedAt: BEGAN } as const
  expect((await details(ended)).endedUnpaid).toEqual({ at: NEXT_DAY, failedAt: BEGAN })
  expect((await details({ ...ended, paymentFailedAt: null })).endedUnpaid).toBeNull()
  expect((await details({ ...ended, status: 'incomplete_expired' })).endedUnpaid).toBeNull()
})

test('the 14 days of a charge begin when it is paid, not with the period that it is for', async () => {
  const { id, userId } = await aPaidMembership(shop)
  const day = (days: number) => daysAfter(BEGAN, days) as BusinessTime
  await shop.db
    .update(orders)
    .set({ paidAt: day(3) })
    .where(eq(orders.userId, userId))
  expect((await detailsOf(shop, userId, id, day(16))).withdrawal).toMatchObject({ until: day(17) })
})

test('choosing a free audiobook leaves a part of the refund, unless there is no refund any more', async () => {
  const { id, userId } = await aPaidMembership(shop)
  const row = (await selectAnySubscription(shop.db, id))!
  const left = (more: Partial<SubscriptionRow> = {}) =>
    leftAfterChoice(shop.db, { ...row, ...more }, NEXT_DAY)
  const month = { userId, subscriptionId: id, usableFrom: BEGAN, usableUntil: ENDS }
  const grants = [0, 1].map((ordinal) => ({ ...month, ordinal }))
  await shop.db.insert(credits).values(grants)
  expect(await left()).toBe(400)
  expect([await left({ withdrawnAt: NEXT_DAY }), await left({ endedAt: NEXT_DAY })]).toEqual([null, null])
  await shop.db.update(credits).set({ spentAt: NEXT_DAY }).where(eq(credits.userId, userId))
  expect(await left()).toBeNull()
})
