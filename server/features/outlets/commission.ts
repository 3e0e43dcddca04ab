import type { Db } from '../../db/open.ts'
import { shareOf } from '../prices/service.ts'
import {
  insertCommission,
  insertCommissionAgain,
  insertCommissionBack,
  selectEarningLines,
} from './commission-queries.ts'

/**
 * A percentage of each net price, rounded half up, in the transaction of the payment. In `amountMinor`, a negative
 * amount is owed by the shop.
 */
export async function earnCommission(
  tx: Db,
  order: { orderId: string; userId: string; now: Date },
): Promise<void> {
  const lines = await selectEarningLines(tx, order)
  const earned = lines.map((line) => ({ ...line, amountMinor: -shareOf(line.netMinor, line.percent) }))
  await insertCommission(tx, earned, order.now)
}

/** After a refund of these order lines. */
export const takeBackCommission = (
  tx: Db,
  lines: { orderLineIds: readonly string[]; now: Date },
): Promise<void> => insertCommissionBack(tx, lines)

/** After a refund failed. */
export const giveCommissionBack = (
  tx: Db,
  lines: { orderLineIds: readonly string[]; now: Date },
): Promise<void> => insertCommissionAgain(tx, lines)
