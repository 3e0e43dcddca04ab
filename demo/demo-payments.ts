import { and, eq, gt, isNull } from 'drizzle-orm'
import type { Database } from '#server/db/open.ts'
import { orderLines, orders, payments } from '#server/db/schema/orders.ts'
import type { SandboxControl } from '#server/integrations/stripe/sandbox-control.ts'

/**
 * Creates the payments of the demo's gift memberships in the payment sandbox, so that a gift can be taken back and
 * refunded. Runs at every start, because it skips payments that have an intent.
 *
 * @returns the number of created payments
 */
export async function payDemoGifts(db: Database, provider: SandboxControl): Promise<number> {
  const rows = await db
    .select({
      order: orders.id,
      amountMinor: orders.totalMinor,
      email: orders.buyerEmail,
      paidAt: payments.createdAt,
    })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .innerJoin(orderLines, and(eq(orderLines.orderId, orders.id), eq(orderLines.kind, 'membership_gift')))
    .where(
      and(
        isNull(payments.intentId),
        eq(payments.type, 'card'),
        eq(orders.fingerprint, 'demo'),
        gt(orders.totalMinor, 0),
      ),
    )
  if (rows.length === 0) return 0
  const made = await provider.payments(rows)
  await db.transaction(async (tx) => {
    for (const { order, intentId } of made)
      await tx.update(payments).set({ intentId }).where(eq(payments.orderId, order))
  })
  return made.length
}
