import type { PlanId } from '#contract/plans.ts'
import type { Shop } from '../../shop.ts'
import { notFound } from '../../http/http-errors.ts'
import { publish } from '../feed/service.ts'
import { insertClaimedGift, lockAccountRow, selectMember } from './queries.ts'
import { beginWaitingGiftIn } from './waiting-gifts.ts'

interface Months {
  readonly userId: string
  readonly plan: PlanId
  readonly months: number
}

/**
 * A membership from the owner of the shop, like a claimed gift: it starts now, or after the membership that is running.
 *
 * @returns whether it has started
 */
export const giveMonths = (
  { db, clock, config }: Pick<Shop, 'db' | 'clock' | 'config'>,
  { userId, plan, months }: Months,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    await lockAccountRow(tx, userId)
    const person = await selectMember(tx, userId)
    if (!person) throw notFound()
    const gift = { plan, months, giverName: config.details.name, email: person.email, zone: config.shopZone }
    await insertClaimedGift(tx, { ...gift, claimedBy: userId }, now)
    const hasBegun = await beginWaitingGiftIn(tx, config.details.plans, userId, now)
    await publish(tx, userId, { type: 'membership' }, now)
    return hasBegun
  })
