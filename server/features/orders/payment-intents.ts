import type { BusinessTime } from '../../clock.ts'
import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import {
  insertIntent,
  selectDisputed,
  selectWaitingOfClosed,
  selectLongWaiting,
  selectOrderIdByIntent,
  selectPayments,
  selectUndelivered,
  updatePayment,
} from './queries.ts'

/**
 * Stores the id of the provider's payment of an order. An order has only one; a second one would be a bug and is
 * ignored.
 */
export const storeIntent = (db: Db, orderId: string, intentId: string): Promise<void> =>
  insertIntent(db, orderId, intentId)

export async function intentOf(db: Db, orderId: string): Promise<string | null> {
  const [payment] = await selectPayments(db, [orderId])
  return payment?.intentId ?? null
}

export const orderOfIntent = (db: Db, intentId: string): Promise<string | undefined> =>
  selectOrderIdByIntent(db, intentId)

/** A payment that can be checked now. Queries return those first that were not checked for longest. */
export interface Due {
  readonly orderId: string
  /** The number of failed checks in a row. */
  readonly failures: number
}

export const ordersWaiting = (
  db: Db,
  since: { readonly before: Date; readonly now: BusinessTime },
  limit: number,
): Promise<readonly (Due & { readonly createdAt: Date; readonly intentId: string | null })[]> =>
  selectLongWaiting(db, since, limit)

/** A bank has decided a dispute by then. */
const LONGEST_DISPUTE_MS = 150 * 24 * 3_600_000

export const ordersOfClosedAccounts = (
  db: Db,
  now: BusinessTime,
  limit: number,
): Promise<{ orderId: string; intentId: string }[]> => selectWaitingOfClosed(db, now, limit)

/** Orders with an open dispute: the webhook event with the bank's decision may have been lost. */
export const ordersDisputed = (
  db: Db,
  { now, ...page }: Page & { readonly now: BusinessTime },
): Promise<{ orderId: string; intentId: string }[]> =>
  selectDisputed(db, { since: new Date(now.getTime() - LONGEST_DISPUTE_MS), ...page })

export const linesUndelivered = (
  db: Db,
  now: BusinessTime,
  limit: number,
): Promise<
  readonly (Due & { readonly id: string; readonly priceMinor: number; readonly intentId: string })[]
> => selectUndelivered(db, now, limit)

export const noteChecked = (db: Db, orderId: string, now: BusinessTime): Promise<void> =>
  updatePayment(db, orderId, { checkedAt: now, checkProblem: null, checkFailures: 0, checkAfter: null })

export const noteUnchecked = (
  db: Db,
  orderId: string,
  now: BusinessTime,
  problem: {
    readonly checkProblem: string
    readonly checkFailures: number
    readonly checkAfter: Date | null
  },
): Promise<void> => updatePayment(db, orderId, { checkedAt: now, ...problem })
