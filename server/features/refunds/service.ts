import type { Db } from '../../db/open.ts'
import { insertRefund, type NewRefund, type RefundRow } from './queries.ts'

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
export const askForRefund = (tx: Db, request: RefundRequest, now: Date): Promise<RefundRow> =>
  insertRefund(tx, {
    ...request,
    state: 'asked',
    nextTryAt: new Date(now.getTime() + SENT_BY_ITS_ASKER_MS),
    createdAt: now,
    updatedAt: now,
  })

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
