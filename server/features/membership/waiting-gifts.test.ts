import { and, asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { aUser } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import type { BusinessTime } from '../../clock.ts'
import { monthsBetween } from './months.ts'
import { insertClaimedGift, selectSubscriptions, type SubscriptionRow } from './queries.ts'
import { startOfWaiting, startWaitingGift, startWaitingGiftIn } from './waiting-gifts.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const NOW = new Date('2026-04-01T10:00:00Z') as BusinessTime
const JUNE = new Date('2026-06-01T10:00:00Z')
const MAY = new Date('2026-05-01T10:00:00Z')
const until = (validUntil: Date, more: Partial<SubscriptionRow> = {}): SubscriptionRow =>
  ({
    ...{ status: 'active', providerId: null, canceledAt: null, endedAt: null, validUntil },
    ...more,
  }) as SubscriptionRow

test('a given membership waits for the last of those that run', () => {
  expect(startOfWaiting([], NOW)).toBeNull()
  expect(startOfWaiting([until(MAY)], NOW)).toEqual(MAY)
  expect(startOfWaiting([until(MAY), until(JUNE)], NOW)).toEqual(JUNE)
  expect(startOfWaiting([until(JUNE), until(MAY)], NOW)).toEqual(JUNE)
  expect(startOfWaiting([until(JUNE, { endedAt: MAY })], NOW)).toEqual(MAY)
})

test('its start is unknown while one renews, and one that has ended does not count', () => {
  const renewing = until(MAY, { providerId: 'sub_1' })
  expect(startOfWaiting([until(JUNE), renewing], NOW)).toBeNull()
  expect(startOfWaiting([until(JUNE), { ...renewing, canceledAt: NOW }], NOW)).toEqual(JUNE)
  expect(startOfWaiting([until(JUNE, { status: 'canceled' })], NOW)).toBeNull()
  expect(startOfWaiting([until(NOW)], NOW)).toBeNull()
})

test('a waiting gift starts once, also when two servers start it', async () => {
  const user = await aUser(shop)
  const now = shop.clock.now()
  const gift = {
    plan: 4,
    months: 2,
    giverName: 'Ada',
    email: user.email,
    zone: shop.config.shopZone,
  } as const
  await shop.db.transaction((tx) => insertClaimedGift(tx, { ...gift, claimedBy: user.id }, now))
  const started = await Promise.all([1, 2].map(() => startWaitingGift(shop, user.id, now)))
  expect(started.filter(Boolean)).toHaveLength(1)
  expect(await selectSubscriptions(shop.db, user.id)).toHaveLength(1)
})

test('a gift that starts at once welcomes its member; one that waited starts with the end before it, and says so', async () => {
  const user = await aUser(shop)
  const now = shop.clock.now()
  const gift = { plan: 4, giverName: 'Ada', email: user.email, zone: shop.config.shopZone } as const
  const claim = (months: number) =>
    shop.db.transaction((tx) => insertClaimedGift(tx, { ...gift, months, claimedBy: user.id }, now))
  await claim(1)
  expect(await startWaitingGift(shop, user.id, now)).toBe(true)
  await claim(2)
  const [first] = await selectSubscriptions(shop.db, user.id)
  expect(await startWaitingGift(shop, user.id, now)).toBe(false)
  const late = new Date(first!.validUntil.getTime() + 86_400_000) as BusinessTime
  expect(await startWaitingGift(shop, user.id, late)).toBe(true)
  const begun = await selectSubscriptions(shop.db, user.id)
  expect(begun.map(({ periodStart }) => periodStart)).toContainEqual(first!.validUntil)
  const sent = await shop.db
    .select()
    .from(mails)
    .where(and(eq(mails.recipient, user.email), eq(mails.kind, 'gift_membership_begun')))
    .orderBy(asc(mails.queuedAt))
  expect(sent.map(({ data }) => (data as { waited: boolean }).waited)).toEqual([false, true])
})

test('a gift lasts its own number of months, or else those of its plan', async () => {
  const monthsOf = async (plan: 4 | 5, months: number | null) => {
    const user = await aUser(shop)
    const now = shop.clock.now()
    const gift = { plan, months, giverName: 'Ada', email: user.email, zone: shop.config.shopZone } as const
    await shop.db.transaction((tx) => insertClaimedGift(tx, { ...gift, claimedBy: user.id }, now))
    await startWaitingGift(shop, user.id, now)
    const [row] = await selectSubscriptions(shop.db, user.id)
    return monthsBetween(row!.periodStart, row!.periodEnd)
  }
  expect([await monthsOf(4, 3), await monthsOf(5, 6)]).toEqual([3, 6])
  expect([await monthsOf(4, null), await monthsOf(5, null)]).toEqual([1, 12])
})

test('nothing starts for an account without a waiting gift', async () => {
  const { id } = await aUser(shop)
  const { plans } = shop.config.details
  const start = () => shop.db.transaction((tx) => startWaitingGiftIn(tx, plans, id, shop.clock.now()))
  expect(await start()).toBe(false)
  expect(await selectSubscriptions(shop.db, id)).toEqual([])
})
