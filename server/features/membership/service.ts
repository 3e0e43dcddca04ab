import type { BusinessTime } from '../../clock.ts'
import type { Tier } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { inBatchesOf } from '../../http/in-batches.ts'
import { notFound } from '../../http/http-errors.ts'
import { countGiven } from '../orders/queries.ts'
import {
  type Invoice,
  invoicesFor,
  selectMember,
  selectPaidPeriods,
  selectSubscription,
  selectSubscriptions,
  type SubscriptionRow,
} from './queries.ts'
import { type NextPayment, nextPaymentOf, droppedChange, type PlannedChange } from './next-payment.ts'
import {
  countUsableCredits,
  type CreditState,
  selectCreditStates,
  selectHeldUntil,
  selectNextCredit,
} from './credit-queries.ts'
import { selectBenefits } from './entitlement-queries.ts'
import { graceEnd, hasFailedPayment } from './failed-payments.ts'
import { givesBenefits, planWithId } from './entitlement.ts'
import { leftAfterChoice, type Withdrawal, withdrawalAt } from './withdrawal-amounts.ts'
import { sumOfWithdrawals } from '../refunds/queries.ts'

export interface Benefits {
  readonly current: SubscriptionRow | null
  readonly subscriptions: readonly SubscriptionRow[]
  readonly hasCredit: boolean
}

export const firstCharge = async (db: Db, subscriptionId: string) =>
  (await selectPaidPeriods(db, subscriptionId)).at(-1)

/** Refunded or owed, in pence. */
export const sumBack = async (db: Db, subscriptionId: string): Promise<number> =>
  sumOfWithdrawals(
    db,
    (await selectPaidPeriods(db, subscriptionId)).map(({ orderId }) => orderId),
  )

export interface Entitlement {
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
      const current = memberships.find((membership) => givesBenefits(membership, now))
      return { tier: (current && planWithId(current)?.tier) ?? null, hasCredit }
    })
  },
  { most: 500, waitingAtMost: 10_000 },
)

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

export async function mustConfirmAddress(db: Db, userId: string, now: BusinessTime): Promise<boolean> {
  const credit = await selectNextCredit(db, userId, now)
  return credit?.ofTrial === true && (await selectMember(db, userId))?.confirmedAt === null
}

/** The number of memberships that an account paid for and gave to others (ENT-08). */
export const paysForOthers = async (db: Db, userId: string): Promise<number> =>
  (await countGiven(db, userId, 'membership')) + (await countGiven(db, userId, 'membership_gift'))

export async function membershipsOf(
  db: Db,
  userId: string,
): Promise<{ readonly row: SubscriptionRow; readonly orderItem: string | null }[]> {
  const rows = await selectSubscriptions(db, userId)
  return Promise.all(
    rows.map(async (row) => ({ row, orderItem: paidOrderLine(row, await invoicesFor(db, row.id)) })),
  )
}

export async function currentOf(db: Db, userId: string, now: BusinessTime) {
  const rows = await selectSubscriptions(db, userId)
  const row = rows.find((one) => givesBenefits(one, now)) ?? rows.find(hasFailedPayment)
  return row ? { row, orderItem: paidOrderLine(row, await invoicesFor(db, row.id)) } : null
}

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
