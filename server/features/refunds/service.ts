import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import {
  insertRefund,
  type NewRefund,
  type RefundRow,
  selectDue,
  selectOfOrder,
  selectOpen,
  selectOwedTo,
  selectSentGoodwill,
  selectStuck,
  sumOfWithdrawals,
  sumOwed,
} from './queries.ts'

/** The caller sends a new refund at once; after this time the job sends it. */
const SENT_BY_ITS_ASKER_MS = 60_000

interface RefundRequest extends Pick<NewRefund, 'reason' | 'key' | 'amountMinor' | 'lineIds' | 'keepsLines'> {
  readonly orderId?: string
  /** For a charge of a membership: the provider knows the payment of an invoice. */
  readonly invoiceId?: string
}

/**
 * Creates a refund, which is the only way to pay money back. Call it in the transaction that takes away the purchase,
 * under the same lock. After the commit `sendRefund` calls the provider, the caller updates the order to the provider's
 * state, and `closeRefund` ends the refund. A repeated `key` returns the existing refund.
 */
export const askForRefund = (tx: Db, request: RefundRequest, now: BusinessTime): Promise<RefundRow> =>
  insertRefund(tx, {
    ...request,
    state: 'asked',
    nextTryAt: new Date(now.getTime() + SENT_BY_ITS_ASKER_MS),
    createdAt: now,
    updatedAt: now,
  })

export const dueRefunds = (db: Db, now: BusinessTime, limit: number): Promise<RefundRow[]> =>
  selectDue(db, now, limit)

/** The amounts owed for orders that are not on their way, in pence, by order id. */
export const owedFor = (db: Db, orderIds: readonly string[]): Promise<Map<string, number>> =>
  sumOwed(db, orderIds)

/** The total of the refunds for withdrawals, in pence, whether they were sent or not. */
export const sumWithdrawn = (db: Db, orderIds: readonly string[]): Promise<number> =>
  sumOfWithdrawals(db, orderIds)

export const openRefunds = (db: Db, orderIds: readonly string[]): Promise<RefundRow[]> =>
  selectOpen(db, orderIds)

export const refundsOf = (db: Db, orderId: string): Promise<RefundRow[]> => selectOfOrder(db, orderId)

/** The refunds for chosen lines that were neither refused nor failed: the money was paid back or will be. */
export const namingLines = (rows: readonly RefundRow[]): { amountMinor: number; lineIds: string[] }[] =>
  rows.flatMap(({ state, amountMinor, lineIds, keepsLines }) =>
    lineIds !== null && !keepsLines && state !== 'refused' && state !== 'failed'
      ? [{ amountMinor, lineIds }]
      : [],
  )

/** The goodwill refunds that were paid back or will be: their lines stay with the buyer. */
export const keepingLines = (rows: readonly RefundRow[]): RefundRow[] =>
  rows.filter(({ keepsLines, state }) => keepsLines && state !== 'refused' && state !== 'failed')

/** The goodwill refunds of these orders that the provider accepted, oldest first. */
export const sentGoodwill = (db: Db, orderIds: readonly string[]): Promise<RefundRow[]> =>
  selectSentGoodwill(db, orderIds)

/** The refunds that an account is owed and that are not on their way, oldest first. */
export const owedTo = (db: Db, userId: string) => selectOwedTo(db, userId)

export const refusedRefunds = (db: Db, limit: number) => selectStuck(db, limit)
