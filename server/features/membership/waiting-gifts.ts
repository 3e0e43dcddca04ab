import { monthsInWords, type Plans } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { monthsAfter } from './months.ts'
import { grantFor } from './credits.ts'
import {
  lockAccountRow,
  lockNextWaitingGift,
  nextWaitingGift,
  noteBegun,
  selectMember,
  selectSubscriptions,
  type SubscriptionRow,
} from './queries.ts'
import { insertSubscription } from './subscription-state.ts'

/**
 * Turns a waiting gift into a membership that starts exactly when the previous one ended, however late this is called:
 * no day is lost or counted twice. The code that ends a membership calls it, and a job each minute; reads don't. Safe
 * to call at any time: the account is locked, so a gift starts only once.
 *
 * @returns whether a membership started
 */
export async function beginWaitingGift(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  userId: string,
  now: BusinessTime,
): Promise<boolean> {
  const waits = await nextWaitingGift(db, userId)
  return (
    waits !== undefined &&
    db.transaction(async (tx) => {
      await lockAccountRow(tx, userId)
      return beginWaitingGiftIn(tx, config.details.plans, userId, now)
    })
  )
}

/** The same. The caller has locked the account. */
export async function beginWaitingGiftIn(
  tx: Db,
  plans: Plans,
  userId: string,
  now: BusinessTime,
): Promise<boolean> {
  const gift = await lockNextWaitingGift(tx, userId)
  if (!gift) return false
  const memberships = (await selectSubscriptions(tx, userId)).filter(wasEverPaid)
  if (memberships.some((one) => isRunning(one, now))) return false
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
  await noteBegun(tx, id, { subscriptionId, begunAt: from })
  await grantFor(tx, { id: subscriptionId, userId, plan, anchor: from }, { from, until })
  const member = await selectMember(tx, userId)
  if (member)
    await queueMail(tx, {
      to: member.email,
      kind: 'gift_membership_begun',
      key: `gift_membership_begun:${id}`,
      data: {
        firstName: member.firstName,
        giverName,
        plan: monthsInWords(plan, months),
        validUntil: until.toISOString(),
        creditsPerMonth: plan.creditsPerMonth,
        waited: from > claimedAt,
      },
    })
  return true
}

/** False for a join that was never paid. */
const wasEverPaid = ({ status }: SubscriptionRow): boolean =>
  status !== 'incomplete' && status !== 'incomplete_expired'

const endsByItself = ({ providerId, canceledAt }: SubscriptionRow): boolean =>
  providerId === null || canceledAt !== null

/** A renewing membership runs until the provider reports its end, also while a payment is open. */
const isRunning = (row: SubscriptionRow, now: BusinessTime): boolean =>
  row.status !== 'canceled' && !(endsByItself(row) && row.validUntil <= now)

const endOfMembership = ({ endedAt, validUntil }: SubscriptionRow): Date => endedAt ?? validUntil

/**
 * When a waiting gift starts; null if that is unknown because the membership before it renews, or if nothing runs
 * before it.
 */
export function startOfWaiting(memberships: readonly SubscriptionRow[], now: BusinessTime): Date | null {
  const running = memberships.filter((row) => wasEverPaid(row) && isRunning(row, now))
  if (running.some((row) => !endsByItself(row))) return null
  return running
    .map(endOfMembership)
    .reduce<Date | null>((last, end) => (last && last > end ? last : end), null)
}

export const hasRunningMembership = (memberships: readonly SubscriptionRow[], now: BusinessTime): boolean =>
  memberships.some((row) => wasEverPaid(row) && isRunning(row, now))
