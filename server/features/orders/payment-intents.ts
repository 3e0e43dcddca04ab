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

/** Notes the provider's payment of an order, once; another one for the same order is a fault, and is not noted. */
export const storeIntent = (db: Db, orderId: string, intentId: string): Promise<void> =>
  insertIntent(db, orderId, intentId)

/** The provider's payment of an order; null while there is none. */
export async function intentOf(db: Db, orderId: string): Promise<string | null> {
  const [payment] = await selectPayments(db, [orderId])
  return payment?.intentId ?? null
}

export const orderOfIntent = (db: Db, intentId: string): Promise<string | undefined> =>
  selectOrderIdByIntent(db, intentId)

/** Payments that can be asked about now, those first that were not looked at for longest. */
export interface Due {
  readonly orderId: string
  /** The number of times in a row that it could not be checked. */
  readonly failures: number
}

/** Orders that wait for their payment since before an instant. */
export const ordersWaiting = (
  db: Db,
  since: { readonly before: Date; readonly now: Date },
  limit: number,
): Promise<readonly (Due & { readonly createdAt: Date; readonly intentId: string | null })[]> =>
  selectLongWaiting(db, since, limit)

/** A bank has decided by then. */
const LONGEST_DISPUTE_MS = 150 * 24 * 3_600_000

export const ordersOfClosedAccounts = (db: Db): Promise<{ orderId: string; intentId: string }[]> =>
  selectWaitingOfClosed(db)

/** Orders that a buyer disputes at their bank: nobody may have told that it has decided. */
export const ordersDisputed = (db: Db, now: Date): Promise<{ orderId: string; intentId: string }[]> =>
  selectDisputed(db, new Date(now.getTime() - LONGEST_DISPUTE_MS))

/** Lines that were paid and brought nothing, and whose money nobody has asked back yet. */
export const linesUndelivered = (
  db: Db,
  now: Date,
  limit: number,
): Promise<
  readonly (Due & { readonly id: string; readonly priceMinor: number; readonly intentId: string })[]
> => selectUndelivered(db, now, limit)

/** The reconciliation looked at an order, and nothing stood in its way. */
export const noteChecked = (db: Db, orderId: string, now: Date): Promise<void> =>
  updatePayment(db, orderId, { checkedAt: now, checkProblem: null, checkFailures: 0, checkAfter: null })

/** It could not be checked: why, how often in a row, and until when it is left alone. */
export const noteUnchecked = (
  db: Db,
  orderId: string,
  now: Date,
  problem: {
    readonly checkProblem: string
    readonly checkFailures: number
    readonly checkAfter: Date | null
  },
): Promise<void> => updatePayment(db, orderId, { checkedAt: now, ...problem })
