import { monthsInWords, type Plans } from '#contract/plans.ts'
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
 * A gift that waits becomes a membership when the one before it has ended, at that very instant, however late this
 * is asked for: no day is lost, and none counts twice. A rule that notes an end asks for it, and a job each minute;
 * nobody who only reads does. Safe at any time; the account is locked, so that it begins once.
 *
 * @returns whether something began
 */
export async function beginWaitingGift(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  userId: string,
  now: Date,
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

/** The same for who has locked the account. */
export async function beginWaitingGiftIn(tx: Db, plans: Plans, userId: string, now: Date): Promise<boolean> {
  const gift = await lockNextWaitingGift(tx, userId)
  if (!gift) return false
  const memberships = (await selectSubscriptions(tx, userId)).filter(counts)
  if (memberships.some((one) => runs(one, now))) return false
  const { id, claimedAt, giverName } = gift
  const plan = plans[gift.plan]
  const months = gift.months ?? plan.months
  const from = memberships.map(endOf).reduce((last, end) => (end > last ? end : last), claimedAt)
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

/** True if it is, or was, a membership at all. */
const counts = ({ status }: SubscriptionRow): boolean =>
  status !== 'incomplete' && status !== 'incomplete_expired'

/** Nobody renews it, so that its end is known. */
const endsByItself = ({ providerId, canceledAt }: SubscriptionRow): boolean =>
  providerId === null || canceledAt !== null

/** One that renews runs until the provider says otherwise, also while its payment waits. */
const runs = (row: SubscriptionRow, now: Date): boolean =>
  row.status !== 'canceled' && !(endsByItself(row) && row.validUntil <= now)

const endOf = ({ endedAt, validUntil }: SubscriptionRow): Date => endedAt ?? validUntil

/** When what waits begins, as far as that is known; null where the membership before it renews. */
export function startOfWaiting(memberships: readonly SubscriptionRow[], now: Date): Date | null {
  const running = memberships.filter((row) => counts(row) && runs(row, now))
  if (running.some((row) => !endsByItself(row))) return null
  return running.map(endOf).reduce<Date | null>((last, end) => (last && last > end ? last : end), null)
}

/** True if a gift would wait. */
export const hasRunning = (memberships: readonly SubscriptionRow[], now: Date): boolean =>
  memberships.some((row) => counts(row) && runs(row, now))
