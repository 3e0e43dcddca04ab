import type { LeavingReason } from '#contract/membership-changes.ts'
import { refused } from '../../wire/refusals.ts'
import { ownSubscription } from '../membership/rules.ts'
import type { Shop } from '../../shop.ts'
import { insertLeavingAnswer, lockSubscription, updateSubscription } from './rows.ts'

/** Kept with the plan and the day alone: whose it was is known to nobody. A second answer changes nothing. */
export async function sayWhyLeaving(
  shop: Shop,
  userId: string,
  id: string,
  reason: LeavingReason,
): Promise<void> {
  await ownSubscription(shop.db, userId, id)
  await shop.db.transaction(async (tx) => {
    const row = await lockSubscription(tx, id)
    if (!row || row.canceledAt === null) throw refused('This membership isn’t cancelled.')
    if (row.leavingSaid) return
    await updateSubscription(tx, id, { leavingSaid: true })
    const day = shop.clock.now().toISOString().slice(0, 10)
    await insertLeavingAnswer(tx, { plan: row.plan, day, reason })
  })
}
