import type { Shop } from '../../shop.ts'
import { ifKnown } from '../../integrations/stripe/problems.ts'
import { publish } from '../feed/service.ts'
import { benefitsOf, ownSubscription } from './service.ts'
import { ALWAYS, daysAfter } from './months.ts'
import { startWaitingGift, startWaitingGiftIn } from './waiting-gifts.ts'
import { changeSubscription } from './subscription-state.ts'
import { hasEnded } from './entitlement.ts'
import { syncSubscription } from './sync-subscription.ts'
import type { PlanId } from '#contract/plans.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import {
  insertClaimedGift,
  lockAccount,
  selectMember,
  lockSubscription,
  type SubscriptionRow,
} from './queries.ts'
import { randomUUID } from 'node:crypto'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { coversForMember } from './month-emails.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { day } from '../../settings/days.ts'
import {
  insertOwnersCredits,
  revokeCredits,
  revokeOwnersCredits,
  selectCredits,
  unspendCredit,
} from './credit-queries.ts'

/** At once and without a refund. Idempotent. */
export async function endMembership(shop: Shop, userId: string, id: string): Promise<void> {
  const { providerId } = await ownSubscription(shop.db, userId, id)
  if (providerId !== null) {
    await ifKnown(shop.billing.subscriptions.end(providerId))
    await syncSubscription(shop, providerId)
  }
  const now = shop.clock.now()
  await shop.db.transaction(async (tx) => {
    await lockAccount(tx, userId)
    const row = await lockSubscription(tx, id)
    if (row && !hasEnded(row.status))
      await changeSubscription(tx, id, { status: 'canceled', canceledAt: now, endedAt: now, validUntil: now })
    await revokeCredits(tx, id, ALWAYS, now)
    await publish(tx, userId, { type: 'membership' }, now)
  })
  await startWaitingGift(shop, userId, now)
}

interface GivenMonths {
  readonly userId: string
  readonly plan: PlanId
  readonly months: number
}

/** Like a claimed gift: starts now, or after the membership that is ongoing. Returns whether it has started. */
export const giveMonths = (
  { db, clock, config }: Pick<Shop, 'db' | 'clock' | 'config'>,
  { userId, plan, months }: GivenMonths,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    await lockAccount(tx, userId)
    const member = await selectMember(tx, userId)
    if (!member) throw notFound()
    const gift = { plan, months, giverName: config.details.name, email: member.email, zone: config.shopZone }
    await insertClaimedGift(tx, { ...gift, claimedBy: userId }, now)
    const hasBegun = await startWaitingGiftIn(tx, config.details.plans, userId, now)
    await publish(tx, userId, { type: 'membership' }, now)
    return hasBegun
  })

interface OwnersCredits {
  readonly userId: string
  /** One for each free audiobook, so that exactly these can be taken back. */
  readonly ids: readonly string[]
  readonly until: Date
}

/** If a title chosen with a free audiobook is returned, the member has at least this long to choose another one. */
const DAYS_TO_CHOOSE_AGAIN = 31

export const restoreCredit = (
  tx: Db,
  { userId, bookId }: { readonly userId: string; readonly bookId: number },
  now: BusinessTime,
): Promise<Date | null> => unspendCredit(tx, userId, bookId, daysAfter(now, DAYS_TO_CHOOSE_AGAIN))

const MONTHS_OF_A_CREDIT = 2

/** Until when a free audiobook can be chosen if its giver names no day. */
export function defaultCreditEnd({ clock }: Pick<Shop, 'clock'>): Date {
  const until = new Date(clock.now())
  until.setUTCMonth(until.getUTCMonth() + MONTHS_OF_A_CREDIT)
  return until
}

export const giveCredits = ({ db, clock }: Pick<Shop, 'db' | 'clock'>, given: OwnersCredits): Promise<void> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const { userId, ids, until } = given
    if (until <= now) throw refused('That day is over.')
    await lockAccount(tx, userId)
    const member = await selectMember(tx, userId)
    if (!member) throw notFound()
    await insertOwnersCredits(tx, { userId, ids, from: now, until })
    await queueMail(tx, {
      to: member.email,
      kind: 'audiobook_given',
      key: `audiobook_given:${userId}:${randomUUID()}`,
      data: {
        firstName: member.firstName,
        count: ids.length,
        lastDay: new Date(until.getTime() - 1).toISOString(),
        covers: await coversForMember(tx, userId, member),
      },
    })
    await publish(tx, userId, { type: 'membership' }, now)
  })

/** Why these can't be taken back any more; null if they can. */
export async function whyCreditsStay(db: Db, ids: readonly string[]): Promise<string | null> {
  const rows = await selectCredits(db, ids)
  if (rows.length < ids.length) return 'The account is closed.'
  if (rows.some(({ spentAt }) => spentAt !== null)) return 'A title was chosen with it.'
  return rows.every(({ revokedAt }) => revokedAt !== null) ? 'It was taken back already.' : null
}

/** No email is sent: what was given by mistake was mostly not noticed. */
export const takeBackCredits = (
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  given: { readonly userId: string; readonly ids: readonly string[] },
): Promise<void> =>
  db.transaction(async (tx) => {
    await lockAccount(tx, given.userId)
    const reason = await whyCreditsStay(tx, given.ids)
    if (reason !== null) throw refused(reason)
    await revokeOwnersCredits(tx, given, clock.now())
    await publish(tx, given.userId, { type: 'membership' }, clock.now())
  })

/** The membership that is running, or waits for its first payment. @throws 422 if the member has no such membership */
export async function membershipToEnd(
  { db, clock }: Pick<Shop, 'db' | 'clock'>,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<SubscriptionRow> {
  const { subscriptions } = await benefitsOf(db, id, clock.now())
  const row = subscriptions.find(({ status }) => !hasEnded(status))
  if (!row) throw refused(`${email} has no membership that runs.`)
  return row
}

/** Why it can only be ended at once; null if it can be cancelled for the end of the paid period. */
export function whyNotCancelled(
  { providerId, canceledAt, validUntil }: Pick<SubscriptionRow, 'providerId' | 'canceledAt' | 'validUntil'>,
  zone: string,
): string | null {
  if (providerId === null) return `It does not renew, and ends on ${day(validUntil, zone)}.`
  return canceledAt ? `It was cancelled already, and ends on ${day(validUntil, zone)}.` : null
}
