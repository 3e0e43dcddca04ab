import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { subscriptions } from '#server/db/schema/membership.ts'
import { orders, payments } from '#server/db/schema/orders.ts'
import { aUser } from '#tests/support/builders.ts'
import { aMembership } from '#tests/support/membership-rows.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { sellInvoice } from './invoice-orders.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop()
})
afterAll(() => shop.close())

const CREATED = new Date('2026-03-01T09:00:00Z')
const LATER = new Date('2026-03-03T09:00:00Z')
type Sold = Parameters<typeof sellInvoice>[3]

let sales = 0
/** The order of a paid invoice of a membership that was joined with a code. */
async function orderOf({ invoice, payment = null }: { invoice?: object; payment?: Sold['payment'] }) {
  const { id: userId } = await aUser(shop)
  sales += 1
  const { withdrawal: _generated, ...row } = aMembership({
    ...{ id: crypto.randomUUID(), joinKey: crypto.randomUUID(), providerId: `sub_sold_${sales}` },
    ...{ userId, couponCode: 'HALF', percentDiscount: 50 },
  })
  const membership = { ...row, userId, withdrawal: 'none' } as const
  await shop.db.insert(subscriptions).values(row)
  const line = { price: 'plan_4', amountMinor: 800, discountMinor: 0, from: CREATED, until: row.periodEnd }
  const whole = { description: '', isChange: false, ...line }
  const paid = { id: `in_sold_${sales}`, reason: 'renewed', lines: [whole], paidMinor: 800 } as const
  const sold = { invoice: { ...paid, createdAt: CREATED, paidAt: LATER, ...invoice }, payment }
  const { id } = await shop.db.transaction((tx) => sellInvoice(tx, shop, membership, sold, 'GB'))
  const [order] = await shop.db.select().from(orders).where(eq(orders.id, id))
  return order!
}

test('an order of a membership has the time at which its invoice was paid, or else created', async () => {
  expect((await orderOf({})).paidAt).toEqual(LATER)
  expect((await orderOf({ invoice: { paidAt: null } })).paidAt).toEqual(CREATED)
})

test('an order of a membership waives no right to withdraw', async () => {
  expect((await orderOf({})).waiverAt).toBeNull()
})

test('a membership’s code is named only by the orders that it reduced', async () => {
  expect(await orderOf({})).toMatchObject({ couponCode: null, totalMinor: 800 })
  const lines = [{ price: 'plan_4', amountMinor: 800, discountMinor: 400, from: CREATED, until: LATER }]
  expect(await orderOf({ invoice: { lines, paidMinor: 400 } })).toMatchObject({
    ...{ couponCode: 'HALF', totalMinor: 400, beforeDiscountMinor: 800 },
  })
})

test('an order of a membership names what paid for it: PayPal, a wallet’s card, or nothing', async () => {
  const paidBy = async (payment: Sold['payment']) => {
    const { id } = await orderOf({ payment })
    const [paid] = await shop.db.select().from(payments).where(eq(payments.orderId, id))
    return [paid!.type, paid!.last4, paid!.wallet]
  }
  const card = { id: 'pm_1', brand: 'visa', last4: '4444', expiresAt: LATER, wallet: 'apple_pay' } as const
  expect(await paidBy({ method: 'paypal', cardLast4: null, card: null })).toEqual(['paypal', null, null])
  expect(await paidBy({ method: 'card', cardLast4: '4444', card })).toEqual(['card', '4444', 'apple_pay'])
  expect(await paidBy(null)).toEqual(['free', null, null])
})
