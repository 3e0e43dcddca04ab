import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLANS, reaches } from '#contract/plans.ts'
import { graceEnd, hasFailedPayment } from './failed-payments.ts'
import { eq } from 'drizzle-orm'
import type { OpenDatabase } from '#server/db/open.ts'
import { subscriptions, UNENDED_STATES } from '#server/db/schema/membership.ts'
import { aUser } from '#tests/support/builders.ts'
import { testDatabase } from '#tests/support/database.ts'
import { selectHasOngoing } from './entitlement-queries.ts'
import { entitlementOf } from './service.ts'
import { selectSubscriptions, selectUnended, type SubscriptionRow } from './queries.ts'
import { givesBenefits, hasEnded, isClaimable, isOngoing, planWithId } from './entitlement.ts'

const NOW = new Date('2026-03-15T12:00:00Z')
const days = (count: number) => new Date(NOW.getTime() + count * 24 * 3_600_000)
const member = (
  status: SubscriptionRow['status'],
  more: {
    validUntil?: Date
    paymentFailedAt?: Date | null
    suspendedAt?: Date
    providerId?: string | null
    canceledAt?: Date
  } = {},
) => ({
  plan: 4 as const,
  status,
  providerId: more.providerId ?? null,
  canceledAt: more.canceledAt ?? null,
  validUntil: more.validUntil ?? days(10),
  paymentFailedAt: more.paymentFailedAt ?? null,
  suspendedAt: more.suspendedAt ?? null,
  withdrawnAt: null,
})

test('ROLE-10: active and trialing count until they end, past due for seven days after the first failed charge', () => {
  expect(givesBenefits(member('active'), NOW)).toBe(true)
  expect(givesBenefits(member('trialing'), NOW)).toBe(true)
  expect(givesBenefits(member('active', { validUntil: days(-1) }), NOW)).toBe(false)
  expect(givesBenefits(member('active', { suspendedAt: days(-1) }), NOW)).toBe(false)
  expect(givesBenefits(member('past_due', { paymentFailedAt: days(-2), validUntil: days(-2) }), NOW)).toBe(
    true,
  )
  expect(givesBenefits(member('past_due', { paymentFailedAt: days(-7) }), NOW)).toBe(true)
  expect(givesBenefits(member('past_due', { paymentFailedAt: days(-8) }), NOW)).toBe(false)
  expect(givesBenefits(member('canceled'), NOW)).toBe(false)
  expect(givesBenefits(member('incomplete'), NOW)).toBe(false)
  expect(givesBenefits(member('unpaid'), NOW)).toBe(false)
})

test('a renewing membership counts for at most one day after its period, until the provider reports otherwise', () => {
  const ended = (ms: number) => new Date(NOW.getTime() - ms)
  const renewing = { providerId: 'sub_1' }
  for (const status of ['active', 'trialing'] as const)
    expect(givesBenefits(member(status, { ...renewing, validUntil: ended(1) }), NOW)).toBe(true)
  expect(givesBenefits(member('active', { ...renewing, validUntil: ended(24 * 3_600_000 - 1) }), NOW)).toBe(
    true,
  )
  expect(givesBenefits(member('active', { ...renewing, validUntil: ended(24 * 3_600_000) }), NOW)).toBe(false)
  // A cancelled membership or a gift does not renew.
  expect(givesBenefits(member('active', { ...renewing, validUntil: NOW, canceledAt: days(-3) }), NOW)).toBe(
    false,
  )
  expect(givesBenefits(member('active', { validUntil: NOW }), NOW)).toBe(false)
  expect(givesBenefits(member('canceled', { ...renewing, validUntil: ended(1) }), NOW)).toBe(false)
})

test('benefits end exactly at validUntil, and past_due without a failed charge gives none', () => {
  expect(givesBenefits(member('active', { validUntil: NOW }), NOW)).toBe(false)
  expect(givesBenefits(member('past_due'), NOW)).toBe(false)
})

test('the days of grace end seven days after the failed charge', () => {
  expect(graceEnd(NOW)).toEqual(days(7))
})

test('a payment counts as failed while it is retried (past_due), and after the last attempt (unpaid)', () => {
  const failed = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled', 'incomplete'].filter(
    (status) => hasFailedPayment({ status }),
  )
  expect(failed).toEqual(['past_due', 'unpaid'])
})

test('OP-15: a credit can be spent on an edition or a highlight only', () => {
  const takes = (edition: boolean, highlight: boolean) => isClaimable({ edition, second_edition: highlight })
  expect([takes(true, false), takes(false, true), takes(false, false)]).toEqual([true, true, false])
})

test('plans are found by their number; other numbers have none', () => {
  expect(planWithId({ plan: 5 })?.name).toBe('Reader Annually')
  expect(planWithId({ plan: 8 })).toBeUndefined()
})

test('CONST-03: the Avid Reader constants 12, 120 and 60 are the prices of plans 1, 2 and 3', () => {
  expect([PLANS[1], PLANS[2], PLANS[3]].map(({ priceMinor }) => priceMinor / 100)).toEqual([12, 120, 60])
})

test('ENT-01 ENT-36: seven plans with their names, prices, type and unit labels, and flags', () => {
  expect(
    Object.values(PLANS).map(({ id, name, priceMinor, type, unit, monthly, yearly }) => [
      id,
      name,
      priceMinor / 100,
      type,
      unit,
      monthly,
      yearly,
    ]),
  ).toEqual([
    [1, 'Avid Reader Monthly', 12, 'Avid Reader', 'Month', true, false],
    [2, 'Avid Reader Annually', 120, 'Avid Reader', 'Year', false, true],
    [3, 'Avid Reader 6 Months', 60, 'Avid Reader', '6 Months', false, false],
    [4, 'Reader Monthly', 8, 'Reader', 'Month', true, false],
    [5, 'Reader Annually', 80, 'Reader', 'Year', false, true],
    [6, 'Supporter Monthly', 3, 'Supporter', 'Month', true, false],
    [7, 'Supporter Annually', 30, 'Supporter', 'Year', false, true],
  ])
})

test('a tier includes the lower tiers, not the higher ones', () => {
  expect(reaches('avid', 'supporter')).toBe(true)
  expect(reaches('reader', 'reader')).toBe(true)
  expect(reaches('supporter', 'reader')).toBe(false)
})

let database: OpenDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

const STATES = subscriptions.status.enumValues
const CASES = STATES.flatMap((status) =>
  [days(10), days(-0.5), days(-2)].flatMap((validUntil) =>
    [{}, { providerId: 'sub_1' }, { providerId: 'sub_1', canceledAt: days(-3) }].flatMap((renewal) =>
      [
        {},
        { suspendedAt: days(-1) },
        { withdrawnAt: days(-1) },
        { paymentFailedAt: days(-2) },
        { paymentFailedAt: days(-8) },
      ].map((problem) => ({ status, validUntil, ...renewal, ...problem })),
    ),
  ),
)

test('SQL and TypeScript agree about every state of a membership', async () => {
  const { db } = database
  const user = await aUser({ db, now: () => NOW, config: { appKeys: ['a key of the test'] } })
  for (const each of CASES) {
    const terms = { plan: 4, userId: user.id, orderedAt: NOW, periodStart: NOW, periodEnd: NOW } as const
    await db.insert(subscriptions).values({ ...terms, ...each })
    const [row] = await selectSubscriptions(db, user.id)
    const found = {
      isOngoing: await selectHasOngoing(db, user.email.toUpperCase(), NOW),
      givesBenefits: (await entitlementOf(db, user.id, NOW)).tier !== null,
      hasEnded: (await selectUnended(db, user.id)).length === 0,
    }
    const expected = {
      isOngoing: isOngoing(row!, NOW),
      givesBenefits: givesBenefits(row!, NOW),
      hasEnded: hasEnded(row!.status),
    }
    expect({ ...each, ...found }).toEqual({ ...each, ...expected })
    await db.delete(subscriptions).where(eq(subscriptions.userId, user.id))
  }
})

test('the states that have not ended are those that the schema lists', () => {
  expect(STATES.filter((status) => !hasEnded(status))).toEqual([...UNENDED_STATES])
})
