import { afterAll, beforeAll, expect, test } from 'vitest'
import { aBuyer } from '#tests/support/purchases.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { changeSubscription, type SubscriptionState } from './subscription-state.ts'
import { insertSubscription, lockSubscription, selectUnended } from './queries.ts'

const AT = new Date('2026-08-31T09:00:00Z')
const STATES = [
  'incomplete',
  'incomplete_expired',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const satisfies readonly SubscriptionState[]

const ALLOWED: Record<SubscriptionState, readonly SubscriptionState[]> = {
  incomplete: STATES,
  incomplete_expired: [
    'incomplete_expired',
    'trialing',
    'active',
    'past_due',
    'unpaid',
    'paused',
    'canceled',
  ],
  trialing: ['trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'],
  active: ['trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'],
  past_due: ['trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'],
  unpaid: ['trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'],
  paused: ['trialing', 'active', 'past_due', 'unpaid', 'paused', 'canceled'],
  canceled: ['canceled'],
}

let shop: TestShop
let userId: string
beforeAll(async () => {
  shop = await testShop()
  userId = (await aBuyer(shop)).user.id
})
afterAll(() => shop.close())

/** A gift, because an account may have many of them. */
const aMembership = (status: SubscriptionState) =>
  insertSubscription(shop.db, {
    userId,
    plan: 4,
    status,
    gift: true,
    periodStart: AT,
    periodEnd: AT,
    validUntil: AT,
  })

test.each(STATES)('a membership that is %s becomes what may follow', async (before) => {
  for (const after of ALLOWED[before]) {
    const { id } = await aMembership(before)
    const changed = await changeSubscription(shop.db, id, { status: after, canceledAt: AT })
    expect(changed).toMatchObject({ id, status: after, canceledAt: AT })
  }
})

test.each(STATES)('a membership that is %s becomes nothing else: it stays as it was', async (before) => {
  for (const after of STATES.filter((state) => !ALLOWED[before].includes(state))) {
    const { id } = await aMembership(before)
    const change = changeSubscription(shop.db, id, { status: after, canceledAt: AT })
    await expect(change).rejects.toThrow(`Membership ${id} cannot become ${after}`)
    expect(await lockSubscription(shop.db, id)).toMatchObject({ status: before, canceledAt: null })
  }
})

test('other fields can be changed in every state; an unknown membership is refused', async () => {
  for (const status of STATES) {
    const { id } = await aMembership(status)
    expect(await changeSubscription(shop.db, id, { suspendedAt: AT })).toMatchObject({
      status,
      suspendedAt: AT,
    })
  }
  const nobodys = '00000000-0000-4000-8000-000000000000'
  await expect(changeSubscription(shop.db, nobodys, { suspendedAt: AT })).rejects.toThrow(nobodys)
})

test('an account’s running memberships are all that are neither cancelled nor expired', async () => {
  userId = (await aBuyer(shop)).user.id
  for (const status of STATES) await aMembership(status)
  const running = STATES.filter((status) => status !== 'canceled' && status !== 'incomplete_expired')
  expect(new Set((await selectUnended(shop.db, userId)).map(({ status }) => status))).toEqual(
    new Set(running),
  )
})
