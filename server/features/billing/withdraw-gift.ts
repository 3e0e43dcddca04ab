import { MESSAGES } from '#contract/messages.ts'
import { PaymentConflict } from '../../outside/stripe/problems.ts'
import { notFound, outdated, refused } from '../../refusals.ts'
import { beginWaiting, detailsOf, revokeFor } from '../membership/rules.ts'
import { giftOfSubscription } from '../membership-gifts/rules.ts'
import { holdOrder, intentOf, refundOrder } from '../orders/rules.ts'
import { tell } from '../feed/rules.ts'
import type { Desk } from './desk.ts'
import { lockSubscription, type SubscriptionRow, updateSubscription } from './rows.ts'

/**
 * Who was given a membership does not want it, within 14 days of its purchase: it ends, and the smaller share of what was paid
 * goes back to who gave it, never to who got it (docs/product.md, Memberships in detail). Noted first, repeated under one
 * key, like every withdrawal.
 */
export async function withdrawGift(
  desk: Desk,
  userId: string,
  row: SubscriptionRow,
  shownMinor: number,
): Promise<void> {
  const { db, clock, payments } = desk
  const gift = await giftOfSubscription(db, row.id)
  if (!gift) throw notFound()
  const { withdrawal } = await detailsOf(db, userId, row.id, clock.now())
  // Asked again after the money went: only what was left undone is done.
  const isPaidBack = row.withdrawnAt !== null && withdrawal === null
  if (!isPaidBack) {
    if (!withdrawal) throw refused('It’s too late to withdraw.')
    if (withdrawal.amountMinor !== shownMinor) throw outdated(MESSAGES.totalHasChanged)
    if (row.withdrawnAt === null) await updateSubscription(db, row.id, { withdrawnAt: clock.now() })
  }
  const amountMinor = withdrawal?.amountMinor ?? 0
  const intentId = gift.orderId === null ? null : await intentOf(db, gift.orderId)
  if (intentId !== null && amountMinor > 0)
    await payments.refundPayment(intentId, { amountMinor }, `withdraw:${row.id}`).catch((error: unknown) => {
      if (!(error instanceof PaymentConflict)) throw error
    })
  await db.transaction(async (tx) => {
    // The order first, as everything does that moves money.
    const order = gift.orderId === null ? undefined : await holdOrder(tx, gift.orderId)
    const held = await lockSubscription(tx, row.id)
    if (!held || held.status !== 'active') return
    const now = clock.now()
    await updateSubscription(tx, row.id, {
      status: 'canceled',
      canceledAt: now,
      endedAt: now,
      validUntil: now,
    })
    await revokeFor(tx, row.id, { from: row.periodStart, until: row.periodEnd }, now)
    if (order && amountMinor > 0) await refundOrder(tx, desk, order, amountMinor)
    await tell(tx, userId, { type: 'membership' }, now)
  })
  await beginWaiting(db, userId, clock.now())
}
