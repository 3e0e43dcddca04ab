import { PLANS, type Tier } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import { inBatchesOf } from '../../in-batches.ts'
import { notFound } from '../../refusals.ts'
import { chargesOf, givenBy } from '../orders/ledger-rules.ts'
import { type Invoice, invoicesFor } from './invoices.ts'
import { type NextPayment, nextPaymentOf } from './next-payment.ts'
import { droppedOf, type Planned } from './planned.ts'
import {
  countUsableCredits,
  holdAccount as lockAccount,
  selectGiftCharge,
  selectGrants,
  selectMember,
  selectNextCredit,
  selectStandings,
  selectSubscription,
  selectSubscriptions,
  selectWaitingAccounts,
  spendOneCredit,
  type SubscriptionRow,
} from './rows.ts'
import { graceEnd, hasFailedPayment, holds, planOf } from './standing.ts'
import { beginWaiting } from './waiting.ts'
import { type Withdrawal, withdrawalOf } from './withdrawal.ts'

export { anchorBefore, daysAfter, monthOf, monthsAfter, monthsBetween, type Span } from './calendar.ts'
export { type Change, changeTo } from './changes.ts'
export { grantFor, grantTrial, regrant, revokeFor } from './credits.ts'
export { type Planned, plannedOf } from './planned.ts'
export type { SubscriptionRow } from './rows.ts'
export { graceEnd, hasFailedPayment, holds, isClaimable } from './standing.ts'
export { beginHeld, beginWaiting, hasRunning, startOfWaiting } from './waiting.ts'

export interface Benefits {
  /** The membership whose benefits hold now, or null. */
  readonly current: SubscriptionRow | null
  readonly subscriptions: readonly SubscriptionRow[]
  readonly hasCredit: boolean
}

/** Until the transaction ends nobody else joins, claims or begins for this account. */
export const holdAccount = (tx: Db, userId: string): Promise<void> => lockAccount(tx, userId)

/** Who a member is: where letters go, and where they pay VAT. */
export const memberOf = (db: Db, userId: string) => selectMember(db, userId)

/** A page of the accounts for which a gift waits; the next one begins after the last of this one. */
export const accountsWithWaiting = (db: Db, after: string | null, limit: number): Promise<string[]> =>
  selectWaitingAccounts(db, after, limit)

/** How somebody stands here now: what prices, lists, media and the journal ask. */
export interface Standing {
  /** Of the membership whose benefits hold; null for a visitor and for somebody without one. */
  readonly tier: Tier | null
  /** Whether a title can be claimed. Credits belong to the account: they outlive a membership (OP-15). */
  readonly hasCredit: boolean
}

const STRANGER: Standing = { tier: null, hasCredit: false }

/** Every list that a listener asks for asks this too; those who ask at the same moment share a statement. */
export const standingOf = async (db: Db, userId: string | null, now: Date): Promise<Standing> =>
  userId === null ? STRANGER : standings(db, { userId, now })

const standings = inBatchesOf(
  async (db: Db, asked: readonly { userId: string; now: Date }[]): Promise<Standing[]> => {
    const known = await selectStandings(
      db,
      asked.map(({ userId }) => userId),
      asked.at(-1)!.now,
    )
    return asked.map(({ userId, now }) => {
      const { memberships = [], hasCredit = false } = known.get(userId) ?? {}
      const current = memberships.find((membership) => holds(membership, now))
      return { tier: (current && planOf(current)?.tier) ?? null, hasCredit }
    })
  },
  { most: 500, waitingAtMost: 10_000 },
)

/** The memberships of an account, for its own eyes, and whether it has a credit. */
export async function benefitsOf(db: Db, userId: string, now: Date): Promise<Benefits> {
  await beginWaiting(db, userId, now)
  const [subscriptions, { hasCredit }] = await Promise.all([
    selectSubscriptions(db, userId),
    standingOf(db, userId, now),
  ])
  return { current: subscriptions.find((row) => holds(row, now)) ?? null, subscriptions, hasCredit }
}

/** Spends one usable credit of an account on a title, atomically (OP-15); false where it has none. */
export const spendCredit = (db: Db, userId: string, bookId: number, now: Date): Promise<boolean> =>
  spendOneCredit(db, userId, bookId, now)

/** How many memberships an account gave to others and paid for (ENT-08). */
export const paysForOthers = async (db: Db, userId: string): Promise<number> =>
  (await givenBy(db, userId, 'membership')) + (await givenBy(db, userId, 'membership_gift'))

/** An account's memberships, newest first, each with the line that paid for its running period. */
export async function membershipsOf(
  db: Db,
  userId: string,
): Promise<{ readonly row: SubscriptionRow; readonly orderItem: string | null }[]> {
  const rows = await selectSubscriptions(db, userId)
  return Promise.all(
    rows.map(async (row) => ({ row, orderItem: paidBy(row, await invoicesFor(db, row.id)) })),
  )
}

/** The one whose benefits hold, else the one whose payment waits; null for who has neither. */
export async function currentOf(db: Db, userId: string, now: Date) {
  await beginWaiting(db, userId, now)
  const rows = await selectSubscriptions(db, userId)
  const row = rows.find((one) => holds(one, now)) ?? rows.find(hasFailedPayment)
  return row ? { row, orderItem: paidBy(row, await invoicesFor(db, row.id)) } : null
}

export interface Details {
  readonly row: SubscriptionRow
  readonly orderItem: string | null
  readonly next: NextPayment | null
  readonly droppedPlan: Planned | null
  readonly creditsLeft: number
  readonly creditsUntil: Date | null
  /** What a withdrawal would still pay back once one more is chosen; null where choosing changes nothing. */
  readonly leavesToPayBackMinor: number | null
  readonly withdrawal: Withdrawal | null
  readonly failedPayment: {
    readonly since: Date
    readonly benefitsUntil: Date
    readonly amountMinor: number | null
  } | null
}

/** Everything about one of an account's memberships. Throws 404 for everybody else's. */
export async function detailsOf(db: Db, userId: string, id: string, now: Date): Promise<Details> {
  const row = await ownSubscription(db, userId, id)
  const [invoices, creditsLeft, credit] = await Promise.all([
    invoicesFor(db, id),
    countUsableCredits(db, userId, now),
    selectNextCredit(db, userId, now),
  ])
  return {
    row,
    orderItem: paidBy(row, invoices),
    next: nextPaymentOf(row),
    droppedPlan: droppedOf(row, now),
    creditsLeft,
    creditsUntil: credit?.until ?? null,
    leavesToPayBackMinor:
      credit?.subscriptionId === id ? await leftAfterChoice(db, row, invoices, now) : null,
    // One that was asked for and not carried out yet is for the sum of that moment.
    withdrawal: await withdrawalNow(db, row, invoices, row.withdrawnAt ?? now),
    failedPayment:
      hasFailedPayment(row) && row.paymentFailedAt
        ? {
            since: row.paymentFailedAt,
            benefitsUntil: graceEnd(row.paymentFailedAt),
            amountMinor: row.nextMinor,
          }
        : null,
  }
}

/**
 * What a withdrawal would still pay back, in pence, once the next free audiobook is chosen, and whether to whoever gave it; null
 * where nothing would come back now, so that nothing is lost by choosing (docs/product.md, Memberships).
 */
export async function leftIfChosen(
  db: Db,
  userId: string,
  now: Date,
): Promise<{ readonly leftMinor: number; readonly gift: boolean } | null> {
  const credit = await selectNextCredit(db, userId, now)
  if (!credit?.subscriptionId) return null
  const row = await selectSubscription(db, userId, credit.subscriptionId)
  if (!row) return null
  const leftMinor = await leftAfterChoice(db, row, await invoicesFor(db, row.id), now)
  return leftMinor === null ? null : { leftMinor, gift: row.gift }
}

async function leftAfterChoice(
  db: Db,
  row: SubscriptionRow,
  invoices: readonly Invoice[],
  now: Date,
): Promise<number | null> {
  const before = await withdrawalNow(db, row, invoices, now)
  if (!before || before.amountMinor === 0) return null
  return (await withdrawalNow(db, row, invoices, now, 1))?.amountMinor ?? 0
}

/** What one of an account's memberships was charged. Throws 404 for everybody else's. */
export async function invoicesOf(db: Db, userId: string, id: string): Promise<Invoice[]> {
  await ownSubscription(db, userId, id)
  return invoicesFor(db, id)
}

/** Throws 404 for everybody else's. */
export async function ownSubscription(db: Db, userId: string, id: string): Promise<SubscriptionRow> {
  const row = await selectSubscription(db, userId, id)
  if (!row) throw notFound()
  return row
}

const paidBy = (row: SubscriptionRow, invoices: readonly Invoice[]): string | null =>
  invoices.find(({ from, until }) => from < row.periodEnd && until > row.periodStart)?.lineId ?? null

/** What comes back to who withdraws now, by the charge of the running period; where so many `more` were taken, too. */
async function withdrawalNow(
  db: Db,
  row: SubscriptionRow,
  invoices: readonly Invoice[],
  now: Date,
  more = 0,
): Promise<Withdrawal | null> {
  if (row.gift) return withdrawalOfGift(db, row, now, more)
  const charge = invoices.find(({ from, until }) => from <= now && now < until)
  if (!charge?.paidAt || row.endedAt || charge.refundedMinor > 0) return null
  const grants = (await selectGrants(db, row.id)).filter(
    ({ usableFrom }) => usableFrom >= charge.from && usableFrom < charge.until,
  )
  return withdrawalOf(
    {
      paidMinor: charge.paidMinor,
      paidAt: charge.paidAt,
      paidFor: charge,
      // The first charge, which after a trial is the one that follows it; and every renewal of a year.
      opens: charge === invoices.at(-1) || PLANS[row.plan].yearly,
      granted: grants.length,
      taken: grants.filter(({ spentAt }) => spentAt !== null).length + more,
    },
    now,
  )
}

/** Of a gift the money goes back to who gave it, for what is left. */
async function withdrawalOfGift(
  db: Db,
  row: SubscriptionRow,
  now: Date,
  more: number,
): Promise<Withdrawal | null> {
  const charge = await selectGiftCharge(db, row.id)
  if (!charge || row.endedAt) return null
  const [paid] = charge.orderId === null ? [] : await chargesOf(db, [charge.orderId])
  if (paid && paid.refundedMinor > 0) return null
  const grants = await selectGrants(db, row.id)
  return withdrawalOf(
    {
      paidMinor: charge.paidMinor,
      paidAt: charge.paidAt,
      paidFor: { from: row.periodStart, until: row.periodEnd },
      opens: true,
      granted: grants.length,
      taken: grants.filter(({ spentAt }) => spentAt !== null).length + more,
    },
    now,
  )
}
