import type { BusinessTime } from '../../clock.ts'
import { planInWords } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { forEachDue, postponing } from '../../due-work/for-each-due.ts'
import { mailMember } from './mail-member.ts'
import { ifKnown } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { notFound, refused, totalChanged } from '../../http/http-errors.ts'
import { publish } from '../feed/service.ts'
import { ownSubscription } from './service.ts'
import { ALWAYS } from './months.ts'
import { startWaitingGift } from './waiting-gifts.ts'
import { changeSubscription } from './subscription-state.ts'
import { requestWithdrawalRefunds, withdrawalAt } from './withdrawal-amounts.ts'
import {
  type SubscriptionRow,
  selectGiftCharge,
  lockAccount,
  selectAnySubscription,
  lockSubscription,
} from './queries.ts'
import { sendMembershipRefund } from './membership-refunds.ts'
import { selectInvoiceOrders, selectWithdrawing } from './billing-queries.ts'
import { syncSubscription } from './sync-subscription.ts'
import { revokeCredits } from './credit-queries.ts'
import { selectOpenRefunds } from '../refunds/queries.ts'

const WITHDRAWALS_PER_RUN = 200
const NOT_CARRIED_OUT = 'a withdrawal could not be carried out yet'

/**
 * One transaction records it before the provider is called; a job repeats failed calls.
 * @throws 404 if the account has no such membership
 * @throws 409 if the refund is no longer `shownMinor` (in pence)
 * @throws 422 if the membership can't be withdrawn from
 */
export async function withdraw(shop: Shop, userId: string, id: string, shownMinor: number): Promise<void> {
  await ownSubscription(shop.db, userId, id)
  const row = await shop.db.transaction((tx) => recordWithdrawal(tx, shop, { userId, id, shownMinor }))
  await carryOutOrPostpone(shop, row)
}

/** The time of the statement counts, and its receipt has been emailed already. */
export async function withdrawByStatement(shop: Shop, id: string, statedAt: BusinessTime): Promise<void> {
  const userId = (await selectAnySubscription(shop.db, id))?.userId
  if (!userId) throw notFound()
  const row = await shop.db.transaction((tx) => recordWithdrawal(tx, shop, { userId, id, statedAt }))
  await carryOutOrPostpone(shop, row)
}

export async function carryOutWithdrawals(shop: Shop, signal?: AbortSignal): Promise<void> {
  const due = await selectWithdrawing(shop.db, shop.clock.now(), WITHDRAWALS_PER_RUN)
  await forEachDue(due, (row) => carryOut(shop, row), {
    log: shop.log,
    signal,
    problem: NOT_CARRIED_OUT,
    about: ({ id }) => ({ subscription: id }),
    ...postponing<SubscriptionRow>(shop, 'withdrawal', ({ id }) => id),
    toleratesOutage: true,
  })
}

const carryOutOrPostpone = (shop: Shop, row: SubscriptionRow): Promise<void> =>
  carryOut(shop, row).catch((error: unknown) =>
    shop.log.warn({ err: error, subscription: row.id }, NOT_CARRIED_OUT),
  )

interface Stated {
  readonly userId: string
  readonly id: string
  readonly shownMinor?: number
  readonly statedAt?: Date
}

async function recordWithdrawal(
  tx: Db,
  { clock, config }: Shop,
  { userId, id, shownMinor, statedAt }: Stated,
): Promise<SubscriptionRow> {
  const now = statedAt ?? clock.now()
  await lockAccount(tx, userId)
  const row = await lockSubscription(tx, id)
  if (!row) throw notFound()
  if (row.withdrawal !== 'none') return row
  const withdrawal = row.endedAt ? null : await withdrawalAt(tx, row, now, { lock: true })
  if (!withdrawal)
    throw refused(
      row.gift ? 'It’s too late to hand it back.' : 'It’s too late for a refund. You can still cancel.',
    )
  if (row.suspendedAt) throw refused('Your bank is still looking into this payment.')
  if (withdrawal.amountMinor === 0 && withdrawal.isBlocked)
    throw refused(
      'Our payment provider can’t send this payment back after your bank’s decision. Please write to us, and we’ll find another way.',
    )
  if (withdrawal.amountMinor === 0) throw refused('There’s nothing to refund.')
  if (shownMinor !== undefined && withdrawal.amountMinor !== shownMinor) throw totalChanged()
  await requestWithdrawalRefunds(tx, row, withdrawal, now)
  await revokeCredits(tx, id, ALWAYS, now)
  await publish(tx, userId, { type: 'membership' }, now)
  if (!row.gift && statedAt === undefined) await mailReceipt(tx, config, row, now)
  const ended = { status: 'canceled', canceledAt: now, endedAt: now, validUntil: now } as const
  return changeSubscription(tx, id, { withdrawnAt: now, ...(row.gift ? ended : {}) })
}

/** The receipt that the law requires, sent at once instead of after the provider has answered. */
async function mailReceipt(
  tx: Db,
  { details }: Shop['config'],
  { id, userId, plan }: SubscriptionRow,
  at: BusinessTime,
): Promise<void> {
  await mailMember(tx, userId, ({ email, firstName, lastName }) => ({
    kind: 'withdrawal_received',
    key: `withdrawal_received:${id}`,
    data: {
      name: `${firstName} ${lastName}`.trim(),
      contract: `Your membership (${planInWords(details.plans[plan])})`,
      scope: null,
      email,
      statedAt: at.toISOString(),
    },
  }))
}

/** Ends the subscription first, so that nothing more is charged; the sync adds what was charged meanwhile. */
async function carryOut(shop: Shop, { id, userId, gift, providerId }: SubscriptionRow): Promise<void> {
  if (providerId !== null) {
    await ifKnown(shop.billing.subscriptions.end(providerId))
    await syncSubscription(shop, providerId)
  } else if (userId !== null) await startWaitingGift(shop, userId, shop.clock.now())
  const orders = gift
    ? [(await selectGiftCharge(shop.db, id))?.orderId ?? null]
    : [...(await selectInvoiceOrders(shop.db, id)).values()]
  const orderIds = orders.flatMap((orderId) => orderId ?? [])
  for (const refund of await selectOpenRefunds(shop.db, orderIds)) await sendMembershipRefund(shop, refund)
}
