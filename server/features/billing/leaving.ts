import type { LeavingReason } from '#contract/membership-changes.ts'
import { refused } from '../../refusals.ts'
import { ownSubscription } from '../membership/rules.ts'
import type { Desk } from './desk.ts'
import { insertLeavingAnswer, lockSubscription, updateSubscription } from './rows.ts'

/** Kept with the plan and the day alone: whose it was is known to nobody. A second answer changes nothing. */
export async function sayWhyLeaving(
  desk: Desk,
  userId: string,
  id: string,
  reason: LeavingReason,
): Promise<void> {
  await ownSubscription(desk.db, userId, id)
  await desk.db.transaction(async (tx) => {
    const row = await lockSubscription(tx, id)
    if (!row || row.canceledAt === null) throw refused('This membership isn’t cancelled.')
    if (row.leavingSaid) return
    await updateSubscription(tx, id, { leavingSaid: true })
    const day = desk.clock.now().toISOString().slice(0, 10)
    await insertLeavingAnswer(tx, { plan: row.plan, day, reason })
  })
}
