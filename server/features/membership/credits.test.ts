import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PLANS, type PlanId } from '#contract/plans.ts'
import { credits, subscriptions } from '#server/db/schema/membership.ts'
import { aBuyer } from '#tests/support/purchases.ts'
import { anAudioBook } from '#tests/support/builders.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { monthsAfter } from './months.ts'
import { type Grantee, grantFor, grantTrial, regrant } from './credits.ts'
import { countUsableCredits, revokeCredits, spendCredit } from './credit-queries.ts'

const BEGAN = new Date('2026-08-31T09:00:00Z')
const at = (iso: string) => new Date(iso)
const yearFrom = { from: BEGAN, until: monthsAfter(BEGAN, 12) }

let shop: TestShop
let userId: string
beforeAll(async () => {
  shop = await testShop()
})
beforeEach(async () => {
  userId = (await aBuyer(shop)).user.id
})
afterAll(() => shop.close())

async function aMembership(plan: PlanId, status: 'active' | 'canceled' = 'active'): Promise<Grantee> {
  const until = monthsAfter(BEGAN, PLANS[plan].months)
  const [row] = await shop.db
    .insert(subscriptions)
    .values({ userId, plan, status, periodStart: BEGAN, periodEnd: until, validUntil: until })
    .returning()
  return { id: row!.id, userId, plan: PLANS[plan], anchor: BEGAN }
}
const left = (now: Date) => countUsableCredits(shop.db, userId, now)
const granted = (to: Grantee) => shop.db.$count(credits, eq(credits.subscriptionId, to.id))

test('MEMB-03 MEMB-39: a year of Avid Reader grants two credits a month; unused ones expire with their month', async () => {
  const avid = await aMembership(2)
  await grantFor(shop.db, avid, yearFrom)
  await grantFor(shop.db, avid, yearFrom)
  expect(await granted(avid)).toBe(24)
  expect(await left(at('2026-08-31T08:59:59Z'))).toBe(0)
  expect(await left(at('2026-08-31T09:00:00Z'))).toBe(2)
  // The 30th, since September is shorter; October has a 31st again.
  expect(await left(at('2026-09-30T08:59:59Z'))).toBe(2)
  expect(await left(at('2026-09-30T09:00:00Z'))).toBe(2)
  const book = await anAudioBook(shop, {})
  expect(await spendCredit(shop.db, userId, book.id, at('2026-10-30T12:00:00Z'))).toBe(true)
  expect(await left(at('2026-10-31T08:59:59Z'))).toBe(1)
  expect(await left(at('2026-10-31T09:00:00Z'))).toBe(2)
  expect(await left(at('2027-08-31T09:00:00Z'))).toBe(0)
})

test('a month of Reader grants one credit, Supporter none, and a trial one until its end', async () => {
  const reader = await aMembership(4, 'canceled')
  await grantFor(shop.db, reader, { from: BEGAN, until: monthsAfter(BEGAN, 1) })
  const supporter = await aMembership(7, 'canceled')
  await grantFor(shop.db, supporter, yearFrom)
  expect([await granted(reader), await granted(supporter)]).toEqual([1, 0])

  const trial = await aMembership(4)
  const ends = at('2026-09-30T09:00:00Z')
  await grantTrial(shop.db, trial, { from: BEGAN, until: ends })
  expect(await granted(trial)).toBe(1)
  expect(await left(new Date(ends.getTime() - 1))).toBe(2)
  expect(await left(ends)).toBe(0)
})

test('an upgrade grants the current month the difference, once, and later months by the new plan', async () => {
  const reader = await aMembership(5)
  await grantFor(shop.db, reader, yearFrom)
  const now = at('2026-12-10T12:00:00Z')
  for (let times = 0; times < 2; times += 1)
    await regrant(shop.db, { ...reader, plan: PLANS[2] }, yearFrom, now)
  expect(await left(now)).toBe(2)
  expect(await left(at('2026-12-31T09:00:00Z'))).toBe(2)
  // Three months with one credit, nine with two.
  expect(await granted(reader)).toBe(3 + 18)
  await regrant(shop.db, { ...reader, plan: PLANS[7] }, yearFrom, now)
  expect(await granted(reader)).toBe(3 + 2)
})

test('revoked credits can’t be spent, and can be restored', async () => {
  const avid = await aMembership(2)
  await grantFor(shop.db, avid, yearFrom)
  const now = at('2026-09-05T12:00:00Z')
  const book = await anAudioBook(shop, {})
  expect(await spendCredit(shop.db, userId, book.id, now)).toBe(true)
  await revokeCredits(shop.db, avid.id, yearFrom, now)
  expect(await left(now)).toBe(0)
  const other = await anAudioBook(shop, {})
  expect(await spendCredit(shop.db, userId, other.id, now)).toBe(false)
  await revokeCredits(shop.db, avid.id, yearFrom, null)
  expect(await left(now)).toBe(1)
})
