import type { Page } from '../../db/in-pages.ts'
import type { Db } from '../../db/open.ts'
import { selectDisputed, selectPayments, updatePayment } from './queries.ts'

export async function intentOf(db: Db, orderId: string): Promise<string | null> {
  const [payment] = await selectPayments(db, [orderId])
  return payment?.intentId ?? null
}

/** A payment that can be checked now. Queries return those first that were not checked for longest. */
export interface Due {
  readonly orderId: string
  /** The number of failed checks in a row. */
  readonly failures: number
}

/** A bank has decided a dispute by then. */
const LONGEST_DISPUTE_MS = 150 * 24 * 3_600_000

/** Orders with an open dispute: the webhook event with the bank's decision may have been lost. */
export const ordersDisputed = (
  db: Db,
  { now, ...page }: Page & { readonly now: Date },
): Promise<{ orderId: string; intentId: string }[]> =>
  selectDisputed(db, { since: new Date(now.getTime() - LONGEST_DISPUTE_MS), ...page })

export const noteChecked = (db: Db, orderId: string, now: Date): Promise<void> =>
  updatePayment(db, orderId, { checkedAt: now, checkProblem: null, checkFailures: 0, checkAfter: null })

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
