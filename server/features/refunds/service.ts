import type { Db } from '../../db/open.ts'
import {
  insertRefund,
  type NewRefund,
  type RefundRow,
  selectDue,
  selectOfOrder,
  selectOpen,
  selectOwedTo,
  selectStuck,
  sumOfWithdrawals,
  sumOwed,
} from './queries.ts'

/** The caller sends it at once; a job sends what was not sent by then. */
const SENT_BY_ITS_ASKER_MS = 60_000

interface RefundRequest extends Pick<NewRefund, 'reason' | 'key' | 'amountMinor' | 'lineIds' | 'keepsLines'> {
  readonly orderId?: string
  /** Of a membership: the provider knows what paid it. */
  readonly invoiceId?: string
}

/**
 * The one way to give money back: a row, in the transaction that takes away what the money had bought, under its lock. Once that
 * is committed, `sendRefund` asks the provider; then the order is made what the provider says, and `closeRefund` ends it.
 */
export const askForRefund = (tx: Db, request: RefundRequest, now: Date): Promise<RefundRow> =>
  insertRefund(tx, {
    ...request,
    state: 'asked',
    nextTryAt: new Date(now.getTime() + SENT_BY_ITS_ASKER_MS),
    createdAt: now,
    updatedAt: now,
  })

/** Refunds to be sent, looked at, or asked for again. */
export const dueRefunds = (db: Db, now: Date, limit: number): Promise<RefundRow[]> =>
  selectDue(db, now, limit)

/** The debt for orders that is not on its way, in pence. */
export const owedFor = (db: Db, orderIds: readonly string[]): Promise<Map<string, number>> =>
  sumOwed(db, orderIds)

/** All that a withdrawal gives back, in pence, whether it went already or not. */
export const sumWithdrawn = (db: Db, orderIds: readonly string[]): Promise<number> =>
  sumOfWithdrawals(db, orderIds)

/** Refunds of these orders that are still to be sent or closed. */
export const openRefunds = (db: Db, orderIds: readonly string[]): Promise<RefundRow[]> =>
  selectOpen(db, orderIds)

/** All that was asked back of an order, oldest first. */
export const refundsOf = (db: Db, orderId: string): Promise<RefundRow[]> => selectOfOrder(db, orderId)

/** Of these, where somebody chose the lines: not refused, so that the money has gone, or is about to. */
export const namingLines = (rows: readonly RefundRow[]): { amountMinor: number; lineIds: string[] }[] =>
  rows.flatMap(({ state, amountMinor, lineIds, keepsLines }) =>
    lineIds !== null && !keepsLines && state !== 'refused' && state !== 'failed'
      ? [{ amountMinor, lineIds }]
      : [],
  )

/** Goodwill refunds that have gone, or are about to: their lines stay. */
export const keepingLines = (rows: readonly RefundRow[]): RefundRow[] =>
  rows.filter(({ keepsLines, state }) => keepsLines && state !== 'refused' && state !== 'failed')

/** Money that an account is owed and was not sent yet, the oldest first. */
export const owedTo = (db: Db, userId: string) => selectOwedTo(db, userId)

/** For the owner: what the provider refused to pay back, and why. */
export const refusedRefunds = (db: Db, limit: number) => selectStuck(db, limit)
