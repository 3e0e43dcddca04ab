import type { Shop } from '../../shop.ts'
import { NotAtProvider } from '../../integrations/stripe/problems.ts'
import { publish } from '../feed/service.ts'
import { lockAccount, ownSubscription } from './service.ts'
import { ALWAYS } from './months.ts'
import { beginWaitingGift } from './waiting-gifts.ts'
import { changeSubscription, isOver, lockSubscription } from './subscription-state.ts'
import { revokeFor } from './credits.ts'
import { settleSubscription } from './sync-subscription.ts'

/**
 * Ends a membership at once for the owner of the shop, without a refund, and revokes its unspent free audiobooks. A
 * waiting gift then starts. Idempotent.
 */
export async function endMembership(shop: Shop, userId: string, id: string): Promise<void> {
  const { providerId } = await ownSubscription(shop.db, userId, id)
  if (providerId !== null) {
    // End it at the provider first, so that nothing more is charged.
    await shop.billing.subscriptions.end(providerId).catch((error: unknown) => {
      if (!(error instanceof NotAtProvider)) throw error
    })
    await settleSubscription(shop, providerId)
  }
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    const row = await lockSubscription(tx, id)
    if (row && !isOver(row.status))
      await changeSubscription(tx, id, { status: 'canceled', canceledAt: now, endedAt: now, validUntil: now })
    await revokeFor(tx, id, ALWAYS, now)
    await publish(tx, userId, { type: 'membership' }, now)
  })
  await beginWaitingGift(shop, userId, now)
}
