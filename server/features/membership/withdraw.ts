import { MESSAGES } from '#contract/messages.ts'
import { planInWords } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { NotAtProvider } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { notFound, outdated, refused } from '../../http/http-errors.ts'
import { publish } from '../feed/service.ts'
import { lockAccount, memberOf, ownSubscription, subscriptionOf } from './service.ts'
import { ALWAYS } from './months.ts'
import { beginWaitingGift } from './waiting-gifts.ts'
import { changeSubscription, lockSubscription } from './subscription-state.ts'
import { oweWithdrawal, withdrawalAt } from './withdrawal-amounts.ts'
import { revokeFor } from './credits.ts'
import { type SubscriptionRow, selectGiftCharge } from './queries.ts'
import { openRefunds } from '../refunds/service.ts'
import { sendMembershipRefund } from './membership-refunds.ts'
import { selectInvoiceOrders, selectWithdrawing } from './billing-queries.ts'
import { settleSubscription } from './sync-subscription.ts'

const BATCH_SIZE = 200

/**
 * Within 14 days, of one's own membership or of one that was given: it ends at once, and what is left of its money
 * goes back to who paid it (docs/product.md, Memberships). The sum is noted, the receipt is queued, and what is not spent
 * is taken back, before the provider is asked. A call that cannot be made now is made by a job.
 */
export async function withdraw(shop: Shop, userId: string, id: string, shownMinor: number): Promise<void> {
  await ownSubscription(shop.db, userId, id)
  const row = await shop.db.transaction((tx) => noteWithdrawal(tx, shop, { userId, id, shownMinor }))
  await carryOutNoted(shop, row)
}

/**
 * Carries out a statement made on the withdrawal page, whose time counts. Its receipt has been emailed already. Throws
 * 422 in words if the membership can’t be withdrawn from.
 */
export async function withdrawByStatement(shop: Shop, id: string, statedAt: Date): Promise<void> {
  const userId = (await subscriptionOf(shop.db, id))?.userId
  if (!userId) throw notFound()
  const row = await shop.db.transaction((tx) => noteWithdrawal(tx, shop, { userId, id, statedAt }))
  await carryOutNoted(shop, row)
}

/** A job: whatever stopped on the way goes on. */
export async function carryOutWithdrawals(shop: Shop, isOver: () => boolean = () => false): Promise<void> {
  for (const row of await selectWithdrawing(shop.db, BATCH_SIZE)) {
    if (isOver()) return
    await carryOutNoted(shop, row)
  }
}

/** It is noted by now, so the job goes on with whatever stops on the way. */
const carryOutNoted = (shop: Shop, row: SubscriptionRow): Promise<void> =>
  carryOut(shop, row).catch((error: unknown) =>
    shop.log.warn({ err: error, subscription: row.id }, 'a withdrawal could not be carried out yet'),
  )

interface Stated {
  readonly userId: string
  readonly id: string
  /** The refund that the page showed; throws 409 if it has changed. */
  readonly shownMinor?: number
  /** When it was stated elsewhere, with a receipt of its own. */
  readonly statedAt?: Date
}

async function noteWithdrawal(
  tx: Db,
  { clock, config }: Shop,
  { userId, id, shownMinor, statedAt }: Stated,
): Promise<SubscriptionRow> {
  const now = statedAt ?? clock.now()
  await lockAccount(tx, userId)
  const row = await lockSubscription(tx, id)
  if (!row) throw notFound()
  // Asked again: what was left undone is done.
  if (row.withdrawnAt) return row
  const withdrawal = row.endedAt ? null : await withdrawalAt(tx, row, now, { lock: true })
  if (!withdrawal)
    throw refused(
      row.gift ? 'It’s too late to hand it back.' : 'It’s too late to withdraw. You can still cancel.',
    )
  if (row.suspendedAt) throw refused('Your bank is still looking into this payment.')
  if (withdrawal.amountMinor === 0 && withdrawal.isBlocked)
    throw refused(
      'Our payment provider can’t send this payment back after your bank’s decision. Please write to us, and we’ll find another way.',
    )
  if (withdrawal.amountMinor === 0) throw refused('Nothing is left to pay back.')
  if (shownMinor !== undefined && withdrawal.amountMinor !== shownMinor)
    throw outdated(MESSAGES.totalHasChanged)
  await oweWithdrawal(tx, row, withdrawal, now)
  await revokeFor(tx, id, ALWAYS, now)
  await publish(tx, userId, { type: 'membership' }, now)
  if (!row.gift && statedAt === undefined) await mailReceipt(tx, config, row, now)
  const ended = { status: 'canceled', canceledAt: now, endedAt: now, validUntil: now } as const
  return changeSubscription(tx, id, { withdrawnAt: now, ...(row.gift ? ended : {}) })
}

/** The receipt that the law asks for: at once, and not after the provider has answered. */
async function mailReceipt(
  tx: Db,
  { details }: Shop['config'],
  { id, userId, plan }: SubscriptionRow,
  at: Date,
): Promise<void> {
  const person = userId === null ? undefined : await memberOf(tx, userId)
  if (!person) return
  await queueMail(tx, {
    to: person.email,
    kind: 'withdrawal_received',
    key: `withdrawal_received:${id}`,
    data: {
      name: `${person.firstName} ${person.lastName}`.trim(),
      contract: `Your membership (${planInWords(details.plans[plan])})`,
      scope: null,
      email: person.email,
      statedAt: at.toISOString(),
    },
  })
}

/** Ended first, so that nothing more is charged: what was charged until then is known and owed with its settlement. */
async function carryOut(shop: Shop, { id, userId, gift, providerId }: SubscriptionRow): Promise<void> {
  if (providerId !== null) {
    await shop.billing.subscriptions.end(providerId).catch((error: unknown) => {
      if (!(error instanceof NotAtProvider)) throw error
    })
    await settleSubscription(shop, providerId)
  } else if (gift && userId !== null) await beginWaitingGift(shop, userId, shop.clock.now())
  const orders = gift
    ? [(await selectGiftCharge(shop.db, id))?.orderId ?? null]
    : [...(await selectInvoiceOrders(shop.db, id)).values()]
  const orderIds = orders.flatMap((orderId) => orderId ?? [])
  for (const refund of await openRefunds(shop.db, orderIds)) await sendMembershipRefund(shop, refund)
}
