import type { Shop } from '../../shop.ts'
import { NotAtProvider } from '../../integrations/stripe/problems.ts'
import { publish } from '../feed/service.ts'
import { lockAccount, ownSubscription } from './service.ts'
import { ALWAYS, daysAfter } from './months.ts'
import { beginWaitingGift, beginWaitingGiftIn } from './waiting-gifts.ts'
import { changeSubscription, isOver, lockSubscription } from './subscription-state.ts'
import { revokeFor } from './credits.ts'
import { settleSubscription } from './sync-subscription.ts'
import type { PlanId } from '#contract/plans.ts'
import { notFound, refused } from '../../http/http-errors.ts'
import { insertClaimedGift, lockAccountRow, selectMember } from './queries.ts'
import { randomUUID } from 'node:crypto'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { insertOwnersCredits, unspendCredit } from './credit-queries.ts'

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

interface GivenMonths {
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
  { userId, plan, months }: GivenMonths,
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

interface OwnersCredits {
  readonly userId: string
  readonly count: number
  readonly until: Date
}

/** If a title chosen with a free audiobook is returned, the member has at least this long to choose another one. */
const DAYS_TO_CHOOSE_AGAIN = 31

export const giveCreditBack = (
  tx: Db,
  { userId, bookId }: { readonly userId: string; readonly bookId: number },
  now: BusinessTime,
): Promise<Date | null> => unspendCredit(tx, userId, bookId, daysAfter(now, DAYS_TO_CHOOSE_AGAIN))

/**
 * @throws 422 if `until` is over
 * @throws 404 if there is no such account
 */
export const giveCredits = ({ db, clock }: Pick<Shop, 'db' | 'clock'>, given: OwnersCredits): Promise<void> =>
  db.transaction(async (tx) => {
    const now = clock.now()
    const { userId, count, until } = given
    if (until <= now) throw refused('That day is over.')
    await lockAccountRow(tx, userId)
    const person = await selectMember(tx, userId)
    if (!person) throw notFound()
    await insertOwnersCredits(tx, { userId, count, from: now, until })
    await queueMail(tx, {
      to: person.email,
      kind: 'audiobook_given',
      key: `audiobook_given:${userId}:${randomUUID()}`,
      data: {
        firstName: person.firstName,
        count,
        lastDay: new Date(until.getTime() - 1).toISOString(),
      },
    })
    await publish(tx, userId, { type: 'membership' }, now)
  })
