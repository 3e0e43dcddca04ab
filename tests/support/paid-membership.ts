import { sellInvoice } from '#server/features/membership/invoice-orders.ts'
import { subscriptions } from '#server/db/schema/membership.ts'
import { aUser } from './builders.ts'
import { aMembership } from './membership-rows.ts'
import type { TestShop } from './shop.ts'

/** A stored membership of a new user, with the order of its first month. The provider doesn't know it. */
export async function aPaidMembership(shop: TestShop, more: Parameters<typeof aMembership>[0] = {}) {
  const { id: userId } = await aUser(shop)
  const id = crypto.randomUUID()
  const own = { id, userId, joinKey: crypto.randomUUID(), providerId: `sub_${id}` }
  const { withdrawal: _generated, ...row } = aMembership({ ...own, ...more })
  await shop.db.insert(subscriptions).values(row)
  const { periodStart: from, periodEnd: until } = aMembership()
  const line = { price: 'plan_4', amountMinor: 800, discountMinor: 0, from, until }
  const paid = { paidMinor: 800, createdAt: from, paidAt: from, reason: 'joined' } as const
  const invoice = { ...paid, id: `in_${id}`, lines: [{ ...line, description: '', isChange: false }] }
  const membership = { ...row, userId, withdrawal: 'none' } as const
  await shop.db.transaction((tx) => sellInvoice(tx, shop, membership, { invoice, payment: null }, 'GB'))
  return { id, userId, invoiceId: invoice.id }
}
