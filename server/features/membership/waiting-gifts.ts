import type { BusinessTime } from '../../clock.ts'
import { monthsInWords, type Plans } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { mailMember } from './mail-member.ts'
import type { Shop } from '../../shop.ts'
import { monthsAfter } from './months.ts'
import { grantFor } from './credits.ts'
import {
  lockAccount,
  lockNextWaitingGift,
  nextWaitingGift,
  updateGiftBegun,
  selectSubscriptions,
  type SubscriptionRow,
  insertSubscription,
} from './queries.ts'
import { hasStarted, isOngoing, renews } from './entitlement.ts'

/** Starts exactly when the previous one ended, however late this is called. @returns whether one started */
export async function startWaitingGift(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  userId: string,
  now: BusinessTime,
): Promise<boolean> {
  const waits = await nextWaitingGift(db, userId)
  return (
    waits !== undefined &&
    db.transaction(async (tx) => {
      await lockAccount(tx, userId)
      return startWaitingGiftIn(tx, config.details.plans, userId, now)
    })
  )
}

/** The caller has locked the account. */
export async function startWaitingGiftIn(tx: Db, plans: Plans, userId: string, now: Date): Promise<boolean> {
  const gift = await lockNextWaitingGift(tx, userId)
  if (!gift) return false
  const memberships = (await selectSubscriptions(tx, userId)).filter(({ status }) => hasStarted(status))
  if (memberships.some((one) => isOngoing(one, now))) return false
  const { id, claimedAt, giverName } = gift
  const plan = plans[gift.plan]
  const months = gift.months ?? plan.months
  const from = memberships.map(endOfMembership).reduce((last, end) => (end > last ? end : last), claimedAt)
  const until = monthsAfter(from, months)
  const { id: subscriptionId } = await insertSubscription(tx, {
    userId,
    plan: plan.id,
    status: 'active',
    gift: true,
    orderedAt: from,
    periodStart: from,
    periodEnd: until,
    validUntil: until,
    anchor: from,
    startNowAt: claimedAt,
  })
  await updateGiftBegun(tx, id, { subscriptionId, begunAt: from })
  await grantFor(tx, { id: subscriptionId, userId, plan, anchor: from }, { from, until })
  await mailMember(tx, userId, ({ firstName }) => ({
    kind: 'gift_membership_begun',
    key: `gift_membership_begun:${id}`,
    data: {
      firstName,
      giverName,
      plan: monthsInWords(plan, months),
      validUntil: until.toISOString(),
      creditsPerMonth: plan.creditsPerMonth,
      waited: from > claimedAt,
    },
  }))
  return true
}

const endOfMembership = ({ endedAt, validUntil }: SubscriptionRow): Date => endedAt ?? validUntil

/** Null if the date is unknown because the current membership renews, or if no membership is running. */
export function startOfWaiting(memberships: readonly SubscriptionRow[], now: BusinessTime): Date | null {
  const ongoing = memberships.filter((row) => isOngoing(row, now))
  if (ongoing.some(renews)) return null
  return ongoing
    .map(endOfMembership)
    .reduce<Date | null>((last, end) => (last && last > end ? last : end), null)
}
