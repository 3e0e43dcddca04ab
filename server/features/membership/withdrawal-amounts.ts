import { DAY_MS } from '#contract/durations.ts'
import { planInWords, PLANS } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { mailMember } from './mail-member.ts'
import type { Shop } from '../../shop.ts'
import { selectCharges } from '../orders/queries.ts'
import { requestRefund } from '../refunds/service.ts'
import { daysAfter, type Span } from './months.ts'
import { selectGrants, selectNextCredit } from './credit-queries.ts'
import {
  invoicesFor,
  selectGiftCharge,
  selectPaidPeriods,
  selectSubscription,
  type SubscriptionRow,
} from './queries.ts'
import { sumOwed, sumOfWithdrawals } from '../refunds/queries.ts'

export const WITHDRAW_DAYS = 14

export interface WithdrawableCharge {
  readonly orderId: string
  readonly paidMinor: number
  readonly backMinor: number
  readonly paidAt: Date
  readonly paidFor: Span
  /** False if the provider refuses to refund it because of a dispute. */
  readonly isRefundable?: boolean | undefined
  /** The first charge, the first after a trial, and the renewal of a year: the law covers no others. */
  readonly isWithdrawable: boolean
}

export interface Month {
  readonly given: number
  readonly taken: number
}

interface Share {
  readonly orderId: string
  readonly amountMinor: number
}

/** Amounts are in pence. */
export interface Withdrawal {
  readonly until: Date
  readonly amountMinor: number
  readonly shares: readonly Share[]
  readonly isBlocked?: true
}

/**
 * Refunds the smaller share of each charge: its days left, or this month's free audiobooks not taken.
 * Null if the 14 days are over (docs/product.md, Memberships).
 */
export function withdrawalOf(
  charges: readonly WithdrawableCharge[],
  month: Month,
  now: BusinessTime,
): Withdrawal | null {
  const opened = charges
    .filter(
      ({ isWithdrawable, paidMinor, paidAt }) =>
        isWithdrawable && paidMinor > 0 && now < daysAfter(paidAt, WITHDRAW_DAYS),
    )
    .toSorted((one, two) => two.paidAt.getTime() - one.paidAt.getTime())[0]
  if (!opened) return null
  const within = charges.filter(({ paidAt }) => paidAt >= opened.paidAt)
  const isBlocked = within.some((charge) => charge.isRefundable === false && shareOf(charge, month, now) > 0)
  const shares = within
    .filter(({ isRefundable }) => isRefundable !== false)
    .map((charge) => ({ orderId: charge.orderId, amountMinor: shareOf(charge, month, now) }))
    .filter(({ amountMinor }) => amountMinor > 0)
  const amountMinor = shares.reduce((sum, share) => sum + share.amountMinor, 0)
  return {
    until: daysAfter(opened.paidAt, WITHDRAW_DAYS),
    amountMinor,
    shares,
    ...(isBlocked && { isBlocked }),
  }
}

/** Rounded half up, in pence. Only complete days count as used. */
function shareOf(charge: WithdrawableCharge, { given, taken }: Month, now: BusinessTime): number {
  const { paidMinor, backMinor, paidFor } = charge
  const { from, until } = paidFor
  const days = Math.max(1, Math.round((until.getTime() - from.getTime()) / DAY_MS))
  const used = Math.min(days, Math.max(0, Math.floor((now.getTime() - from.getTime()) / DAY_MS)))
  const ofDays = (paidMinor * (days - used)) / days
  const ofAudiobooks = given === 0 ? paidMinor : (paidMinor * (given - taken)) / given
  return Math.max(0, Math.min(Math.round(Math.min(ofDays, ofAudiobooks)), paidMinor - backMinor))
}

/** An upgrade charges for the rest of a period, in addition to the charge for the whole period. */
export const isPart = ({ from, until }: Span, all: readonly Span[]): boolean =>
  all.some((other) => other.from < from && other.until.getTime() === until.getTime())

/** Null if the 14 days are over. Lock the membership and pass `lock` to act on it: no title is then taken meanwhile. */
export async function withdrawalAt(
  db: Db,
  row: SubscriptionRow,
  now: BusinessTime,
  { lock, more = 0 }: { readonly lock?: boolean; readonly more?: number } = {},
): Promise<Withdrawal | null> {
  const grants = await selectGrants(db, row.id, { lock })
  const running = grants.filter(({ usableFrom, usableUntil }) => usableFrom <= now && now < usableUntil)
  const month = {
    given: running.length,
    taken: running.filter(({ spentAt }) => spentAt !== null).length + more,
  }
  return withdrawalOf(row.gift ? await chargeOfGift(db, row) : await chargesFor(db, row), month, now)
}

async function chargesFor(db: Db, row: SubscriptionRow): Promise<WithdrawableCharge[]> {
  const invoices = (await invoicesFor(db, row.id)).filter(({ paidMinor }) => paidMinor > 0)
  const owed = await sumOwed(
    db,
    invoices.map(({ orderId }) => orderId),
  )
  const first = invoices.at(-1)
  return invoices.map(
    ({ orderId, paidMinor, refundedMinor, isRefundable, paidAt, plan, from, until }, index) => {
      const others = invoices.filter((_, other) => other !== index)
      const isYearly = Object.values(PLANS).some(({ id, yearly }) => id === plan && yearly)
      return {
        orderId,
        paidMinor,
        backMinor: refundedMinor + (owed.get(orderId) ?? 0),
        paidAt: paidAt ?? from,
        paidFor: { from, until },
        isRefundable,
        isWithdrawable: orderId === first?.orderId || (isYearly && !isPart({ from, until }, others)),
      }
    },
  )
}

async function chargeOfGift(db: Db, row: SubscriptionRow): Promise<WithdrawableCharge[]> {
  const charge = await selectGiftCharge(db, row.id)
  if (!charge?.orderId) return []
  const { orderId, paidMinor, paidAt } = charge
  const [paid] = await selectCharges(db, [orderId])
  const backMinor = (paid?.refundedMinor ?? 0) + ((await sumOwed(db, [orderId])).get(orderId) ?? 0)
  const paidFor = { from: row.periodStart, until: row.periodEnd }
  return [
    {
      orderId,
      paidMinor,
      backMinor,
      paidAt,
      paidFor,
      isWithdrawable: true,
      isRefundable: paid?.isRefundable,
    },
  ]
}

/** Idempotent. The caller has locked the membership. */
export async function requestWithdrawalRefunds(
  tx: Db,
  { id, gift }: Pick<SubscriptionRow, 'id' | 'gift'>,
  { shares }: Withdrawal,
  now: BusinessTime,
): Promise<void> {
  const invoices = await selectPaidPeriods(tx, id)
  for (const { orderId, amountMinor } of shares) {
    const invoiceId = invoices.find((invoice) => invoice.orderId === orderId)?.invoiceId
    const owed = {
      reason: gift ? 'gift-withdrawal' : 'withdrawal',
      key: `withdrawal:${id}:${orderId}`,
      orderId,
      amountMinor,
      ...(invoiceId && { invoiceId }),
    } as const
    await requestRefund(tx, owed, now)
  }
}

/** Only the sync that ends the membership knows all charges: refunds those made since. Idempotent. */
export async function completeWithdrawal(
  tx: Db,
  { clock, config }: Pick<Shop, 'clock' | 'config'>,
  row: SubscriptionRow & { readonly userId: string },
): Promise<void> {
  const { id, withdrawnAt, userId, plan } = row
  if (row.withdrawal !== 'ended' || withdrawnAt === null) return
  const found = await withdrawalAt(tx, row, withdrawnAt)
  if (found) await requestWithdrawalRefunds(tx, row, found, clock.now())
  const orderIds = (await selectPaidPeriods(tx, id)).map(({ orderId }) => orderId)
  const amountMinor = await sumOfWithdrawals(tx, orderIds)
  await mailMember(tx, userId, ({ firstName }) => ({
    kind: 'membership_withdrawn',
    key: `membership_withdrawn:${id}`,
    data: {
      firstName,
      plan: planInWords(config.details.plans[plan]),
      amountMinor,
      withdrawnAt: withdrawnAt.toISOString(),
    },
  }))
}

/** In pence, and whether it goes to the giver of a gift. Null if a withdrawal would refund nothing now. */
export async function leftIfChosen(
  db: Db,
  userId: string,
  now: BusinessTime,
): Promise<{ readonly leftMinor: number; readonly gift: boolean } | null> {
  const credit = await selectNextCredit(db, userId, now)
  if (!credit?.subscriptionId) return null
  const row = await selectSubscription(db, userId, credit.subscriptionId)
  if (!row) return null
  const leftMinor = await leftAfterChoice(db, row, now)
  return leftMinor === null ? null : { leftMinor, gift: row.gift }
}

export async function leftAfterChoice(
  db: Db,
  row: SubscriptionRow,
  now: BusinessTime,
): Promise<number | null> {
  if (row.withdrawnAt || row.endedAt) return null
  const before = await withdrawalAt(db, row, now)
  if (!before || before.amountMinor === 0) return null
  return (await withdrawalAt(db, row, now, { more: 1 }))?.amountMinor ?? 0
}
