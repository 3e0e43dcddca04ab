import type { Tier } from '#contract/plans.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { inBatchesOf } from '../../http/in-batches.ts'
import { notFound } from '../../http/http-errors.ts'
import { countGiven } from '../orders/queries.ts'
import { sumWithdrawn } from '../refunds/service.ts'
import { type Invoice, invoicesFor } from './invoices.ts'
import { type NextPayment, nextPaymentOf, droppedChange, type PlannedChange } from './next-payment.ts'
import {
  countUsableCredits,
  type CreditState,
  selectCreditStates,
  selectHeldUntil,
  selectNextCredit,
  spendOneCredit,
} from './credit-queries.ts'
import {
  lockAccountRow,
  selectAnySubscription,
  selectInvoice,
  selectInvoiceOf,
  selectMember,
  selectBenefits,
  selectPaidPeriods,
  selectSubscription,
  selectSubscriptions,
  selectWaitingAccounts,
  type SubscriptionRow,
} from './queries.ts'
import { graceEnd, hasFailedPayment } from './failed-payments.ts'
import { isInForce, planWithId } from './entitlement.ts'
import { leftAfterChoice, type Withdrawal, withdrawalAt } from './withdrawal-amounts.ts'

export interface Benefits {
  readonly current: SubscriptionRow | null
  readonly subscriptions: readonly SubscriptionRow[]
  readonly hasCredit: boolean
}

/**
 * Locks an account until the transaction ends: one join, claim or start of a gift at a time. Lock it before its
 * memberships.
 */
export const lockAccount = (tx: Db, userId: string): Promise<void> => lockAccountRow(tx, userId)

export const memberOf = (db: Db, userId: string) => selectMember(db, userId)

/** A membership of any account. Check its `userId`, or that the caller is allowed to see it. */
export const subscriptionOf = (db: Db, id: string): Promise<SubscriptionRow | undefined> =>
  selectAnySubscription(db, id)

/** The membership, order and period of a provider's invoice; undefined if it has no order here. */
export const chargeOfInvoice = (db: Db, invoiceId: string) => selectInvoice(db, invoiceId)

export const firstCharge = async (db: Db, subscriptionId: string) =>
  (await selectPaidPeriods(db, subscriptionId)).at(-1)

/** Refunded or owed, in pence. */
export const sumBack = async (db: Db, subscriptionId: string): Promise<number> =>
  sumWithdrawn(
    db,
    (await selectPaidPeriods(db, subscriptionId)).map(({ orderId }) => orderId),
  )

/** The provider's invoice of an order; undefined for an order from the checkout. */
export const invoiceOf = (db: Db, orderId: string): Promise<string | undefined> =>
  selectInvoiceOf(db, orderId)

export const accountsWithWaiting = (db: Db, page: Page): Promise<string[]> => selectWaitingAccounts(db, page)

/** What an account may do now. Prices, lists, media and the journal depend on it. */
export interface Entitlement {
  /** The tier of the membership that gives benefits; null for visitors and for accounts without one. */
  readonly tier: Tier | null
  /** True if a credit can be spent. Credits belong to the account, so they outlive a membership (OP-15). */
  readonly hasCredit: boolean
}

const NO_ENTITLEMENT: Entitlement = { tier: null, hasCredit: false }

/** Needed for every list that a signed-in user requests, so concurrent calls share one query. */
export const entitlementOf = async (db: Db, userId: string | null, now: BusinessTime): Promise<Entitlement> =>
  userId === null ? NO_ENTITLEMENT : loadEntitlements(db, { userId, now })

const loadEntitlements = inBatchesOf(
  async (db: Db, asked: readonly { userId: string; now: BusinessTime }[]): Promise<Entitlement[]> => {
    const known = await selectBenefits(
      db,
      asked.map(({ userId }) => userId),
      asked.at(-1)!.now,
    )
    return asked.map(({ userId, now }) => {
      const { memberships = [], hasCredit = false } = known.get(userId) ?? {}
      const current = memberships.find((membership) => isInForce(membership, now))
      return { tier: (current && planWithId(current)?.tier) ?? null, hasCredit }
    })
  },
  { most: 500, waitingAtMost: 10_000 },
)

/** Whether the account has a usable credit, and until when that can be cached (`catalogue/caches.ts`). */
export const creditOf = (db: Db, userId: string, now: BusinessTime): Promise<CreditState> =>
  creditStates(db, { userId, now })

const creditStates = inBatchesOf(
  (db: Db, asked: readonly { userId: string; now: BusinessTime }[]) =>
    selectCreditStates(
      db,
      asked.map(({ userId }) => userId),
      asked.at(-1)!.now,
    ),
  { most: 500, waitingAtMost: 10_000 },
)

export async function benefitsOf(db: Db, userId: string, now: BusinessTime): Promise<Benefits> {
  const [subscriptions, { hasCredit }] = await Promise.all([
    selectSubscriptions(db, userId),
    entitlementOf(db, userId, now),
  ])
  return { current: subscriptions.find((row) => givesBenefits(row, now)) ?? null, subscriptions, hasCredit }
}

export const creditsLeftOf = (db: Db, userId: string, now: BusinessTime): Promise<number> =>
  countUsableCredits(db, userId, now)

/** Atomic (OP-15). Returns false if the account has no usable credit. */
export const spendCredit = (db: Db, userId: string, bookId: number, now: BusinessTime): Promise<boolean> =>
  spendOneCredit(db, userId, bookId, now)

/** True if the next free audiobook comes from a trial and the email address is not confirmed. */
export async function mustConfirmAddress(db: Db, userId: string, now: BusinessTime): Promise<boolean> {
  const credit = await selectNextCredit(db, userId, now)
  return credit?.ofTrial === true && (await selectMember(db, userId))?.confirmedAt === null
}

/** The number of memberships that an account paid for and gave to others (ENT-08). */
export const paysForOthers = async (db: Db, userId: string): Promise<number> =>
  (await countGiven(db, userId, 'membership')) + (await countGiven(db, userId, 'membership_gift'))

/** An account's memberships, newest first, each with the order line that paid for its current period. */
export async function membershipsOf(
  db: Db,
  userId: string,
): Promise<{ readonly row: SubscriptionRow; readonly orderItem: string | null }[]> {
  const rows = await selectSubscriptions(db, userId)
  return Promise.all(
    rows.map(async (row) => ({ row, orderItem: paidOrderLine(row, await invoicesFor(db, row.id)) })),
  )
}

/** The membership that gives benefits; otherwise one with a failed payment; otherwise null. */
export async function currentOf(db: Db, userId: string, now: BusinessTime) {
  const rows = await selectSubscriptions(db, userId)
  const row = rows.find((one) => givesBenefits(one, now)) ?? rows.find(hasFailedPayment)
  return row ? { row, orderItem: paidOrderLine(row, await invoicesFor(db, row.id)) } : null
}

/** A withdrawn membership gives no benefits, even if the provider has not ended it yet. */
const givesBenefits = (row: SubscriptionRow, now: BusinessTime): boolean =>
  row.withdrawnAt === null && isInForce(row, now)

export interface Details {
  readonly row: SubscriptionRow
  readonly orderItem: string | null
  readonly next: NextPayment | null
  readonly droppedPlan: PlannedChange | null
  readonly creditsLeft: number
  readonly creditsUntil: Date | null
  readonly confirmAddressFirst: boolean
  /** In pence; null if choosing a free audiobook changes nothing. */
  readonly leavesToPayBackMinor: number | null
  /** When held credits become usable, after a recent withdrawal from another membership; null if none is held. */
  readonly creditsFrom: Date | null
  readonly withdrawal: Withdrawal | null
  readonly failedPayment: {
    readonly since: Date
    readonly benefitsUntil: Date
    readonly amountMinor: number | null
  } | null
  /** Set if the membership ended because its payment failed. */
  readonly endedUnpaid: { readonly at: Date; readonly failedAt: Date } | null
}

export async function detailsOf(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  userId: string,
  id: string,
  now: BusinessTime,
): Promise<Details> {
  const row = await ownSubscription(db, userId, id)
  const [invoices, creditsLeft, credit, creditsFrom, confirmAddressFirst] = await Promise.all([
    invoicesFor(db, id),
    countUsableCredits(db, userId, now),
    selectNextCredit(db, userId, now),
    selectHeldUntil(db, userId, now),
    mustConfirmAddress(db, userId, now),
  ])
  return {
    row,
    orderItem: paidOrderLine(row, invoices),
    next: nextPaymentOf(row, config.details.plans),
    droppedPlan: droppedChange(row, now),
    creditsLeft,
    creditsUntil: credit?.until ?? null,
    confirmAddressFirst,
    creditsFrom,
    leavesToPayBackMinor: credit?.subscriptionId === id ? await leftAfterChoice(db, row, now) : null,
    withdrawal: row.withdrawnAt || row.endedAt ? null : await withdrawalAt(db, row, now),
    failedPayment:
      hasFailedPayment(row) && row.paymentFailedAt
        ? {
            since: row.paymentFailedAt,
            benefitsUntil: graceEnd(row.paymentFailedAt),
            amountMinor: row.nextMinor,
          }
        : null,
    endedUnpaid:
      row.status === 'canceled' && row.endedAt && row.paymentFailedAt
        ? { at: row.endedAt, failedAt: row.paymentFailedAt }
        : null,
  }
}

/** @throws 404 if the membership belongs to another account */
export async function invoicesOf(db: Db, userId: string, id: string): Promise<Invoice[]> {
  await ownSubscription(db, userId, id)
  return invoicesFor(db, id)
}

/** @throws 404 if the membership belongs to another account */
export async function ownSubscription(db: Db, userId: string, id: string): Promise<SubscriptionRow> {
  const row = await selectSubscription(db, userId, id)
  if (!row) throw notFound()
  return row
}

const paidOrderLine = (row: SubscriptionRow, invoices: readonly Invoice[]): string | null =>
  invoices.find(({ from, until }) => from < row.periodEnd && until > row.periodStart)?.lineId ?? null
