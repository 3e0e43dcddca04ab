import type { Tier } from '#contract/plans.ts'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { inBatchesOf } from '../../http/in-batches.ts'
import { notFound } from '../../http/http-errors.ts'
import { givenBy } from '../orders/ledger.ts'
import { sumWithdrawn } from '../refunds/service.ts'
import { type Invoice, invoicesFor } from './invoices.ts'
import { type NextPayment, nextPaymentOf } from './next-payment.ts'
import { droppedOf, type Planned } from './planned-changes.ts'
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
import { graceEnd, hasFailedPayment, isInForce, planOf } from './entitlement.ts'
import { leftAfterChoice, type Withdrawal, withdrawalAt } from './withdrawal-amounts.ts'

export interface Benefits {
  /** The membership whose benefits hold now, or null. */
  readonly current: SubscriptionRow | null
  readonly subscriptions: readonly SubscriptionRow[]
  readonly hasCredit: boolean
}

/** Until the transaction ends nobody else joins, claims or begins for this account. */
export const lockAccount = (tx: Db, userId: string): Promise<void> => lockAccountRow(tx, userId)

/** A member's address for mail, and the country where they pay VAT. */
export const memberOf = (db: Db, userId: string) => selectMember(db, userId)

/** Whoever's it is; undefined for none. */
export const subscriptionOf = (db: Db, id: string): Promise<SubscriptionRow | undefined> =>
  selectAnySubscription(db, id)

/** What an invoice of the provider paid for; undefined for one that is not known. */
export const chargeOfInvoice = (db: Db, invoiceId: string) => selectInvoice(db, invoiceId)

/** The first charge of a membership and its end; undefined for one that was never charged. */
export const firstCharge = async (db: Db, subscriptionId: string) =>
  (await selectPaidPeriods(db, subscriptionId)).at(-1)

/** What went back or is owed because somebody withdrew from a membership, in pence. */
export const sumBack = async (db: Db, subscriptionId: string): Promise<number> =>
  sumWithdrawn(
    db,
    (await selectPaidPeriods(db, subscriptionId)).map(({ orderId }) => orderId),
  )

/** The provider's invoice that became an order; undefined for what was sold at the checkout. */
export const invoiceOf = (db: Db, orderId: string): Promise<string | undefined> =>
  selectInvoiceOf(db, orderId)

/** A page of the accounts for which a gift waits. */
export const accountsWithWaiting = (db: Db, page: Page): Promise<string[]> => selectWaitingAccounts(db, page)

/** The rights of somebody here now: prices, lists, media and the journal ask for them. */
export interface Entitlement {
  /** Of the membership whose benefits hold; null for a visitor and for somebody without one. */
  readonly tier: Tier | null
  /** True if a title can be claimed. Credits belong to the account: they outlive a membership (OP-15). */
  readonly hasCredit: boolean
}

const NO_ENTITLEMENT: Entitlement = { tier: null, hasCredit: false }

/** Every list that a listener asks for asks this too; those who ask at the same moment share a statement. */
export const entitlementOf = async (db: Db, userId: string | null, now: Date): Promise<Entitlement> =>
  userId === null ? NO_ENTITLEMENT : standings(db, { userId, now })

const standings = inBatchesOf(
  async (db: Db, asked: readonly { userId: string; now: Date }[]): Promise<Entitlement[]> => {
    const known = await selectBenefits(
      db,
      asked.map(({ userId }) => userId),
      asked.at(-1)!.now,
    )
    return asked.map(({ userId, now }) => {
      const { memberships = [], hasCredit = false } = known.get(userId) ?? {}
      const current = memberships.find((membership) => isInForce(membership, now))
      return { tier: (current && planOf(current)?.tier) ?? null, hasCredit }
    })
  },
  { most: 500, waitingAtMost: 10_000 },
)

/** Whether a title can be claimed, and until when that is known: for those who keep it (`catalogue/readers.ts`). */
export const creditOf = (db: Db, userId: string, now: Date): Promise<CreditState> =>
  creditStates(db, { userId, now })

const creditStates = inBatchesOf(
  (db: Db, asked: readonly { userId: string; now: Date }[]) =>
    selectCreditStates(
      db,
      asked.map(({ userId }) => userId),
      asked.at(-1)!.now,
    ),
  { most: 500, waitingAtMost: 10_000 },
)

/** The memberships of an account, for its own eyes, and whether it has a credit. */
export async function benefitsOf(db: Db, userId: string, now: Date): Promise<Benefits> {
  const [subscriptions, { hasCredit }] = await Promise.all([
    selectSubscriptions(db, userId),
    entitlementOf(db, userId, now),
  ])
  return { current: subscriptions.find((row) => runs(row, now)) ?? null, subscriptions, hasCredit }
}

/** The number of free audiobooks that an account can choose now. */
export const creditsLeftOf = (db: Db, userId: string, now: Date): Promise<number> =>
  countUsableCredits(db, userId, now)

/** Spends one usable credit of an account on a title, atomically (OP-15); false where it has none. */
export const spendCredit = (db: Db, userId: string, bookId: number, now: Date): Promise<boolean> =>
  spendOneCredit(db, userId, bookId, now)

/** True if the next free audiobook comes from a free trial and the account has not confirmed its address. */
export async function mustConfirmAddress(db: Db, userId: string, now: Date): Promise<boolean> {
  const credit = await selectNextCredit(db, userId, now)
  return credit?.ofTrial === true && (await selectMember(db, userId))?.confirmedAt === null
}

/** The number of memberships that an account gave to others and paid for (ENT-08). */
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
  const rows = await selectSubscriptions(db, userId)
  const row = rows.find((one) => runs(one, now)) ?? rows.find(hasFailedPayment)
  return row ? { row, orderItem: paidBy(row, await invoicesFor(db, row.id)) } : null
}

/** A member who has withdrawn has no membership any more, also while the provider has not ended it yet. */
const runs = (row: SubscriptionRow, now: Date): boolean => row.withdrawnAt === null && isInForce(row, now)

export interface Details {
  readonly row: SubscriptionRow
  readonly orderItem: string | null
  readonly next: NextPayment | null
  readonly droppedPlan: Planned | null
  readonly creditsLeft: number
  readonly creditsUntil: Date | null
  /** A free audiobook of a trial requires a confirmed address. */
  readonly confirmAddressFirst: boolean
  /** The sum that a withdrawal would still pay back once one more is chosen; null where choosing changes nothing. */
  readonly leavesToPayBackMinor: number | null
  /** When those come that are not given at once, to who withdrew lately. */
  readonly creditsFrom: Date | null
  readonly withdrawal: Withdrawal | null
  readonly failedPayment: {
    readonly since: Date
    readonly benefitsUntil: Date
    readonly amountMinor: number | null
  } | null
  /** It has ended because of that. */
  readonly endedUnpaid: { readonly at: Date; readonly failedAt: Date } | null
}

/** Everything about one of an account's memberships. Throws 404 for everybody else's. */
export async function detailsOf(
  { db, config }: Pick<Shop, 'db' | 'config'>,
  userId: string,
  id: string,
  now: Date,
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
    orderItem: paidBy(row, invoices),
    next: nextPaymentOf(row, config.details.plans),
    droppedPlan: droppedOf(row, now),
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

/** The charges of one of an account's memberships. Throws 404 for everybody else's. */
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
