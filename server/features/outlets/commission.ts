import type { Db } from '../../db/open.ts'
import { shareOf } from '../prices/service.ts'
import {
  insertCommission,
  insertCommissionAgain,
  insertCommissionBack,
  selectEarningLines,
} from './commission-queries.ts'

/**
 * A reader paid for titles: their bookshop earns its percentage of what each cost without VAT, rounded half up, in the
 * same transaction. An amount below zero is what the shop owes.
 */
export async function earnCommission(
  tx: Db,
  order: { orderId: string; userId: string; now: Date },
): Promise<void> {
  const lines = await selectEarningLines(tx, order)
  const earned = lines.map((line) => ({ ...line, amountMinor: -shareOf(line.netMinor, line.percent) }))
  await insertCommission(tx, earned, order.now)
}

/** Money went back for these lines of an order, and with it what a bookshop earned. */
export const takeBackCommission = (
  tx: Db,
  lines: { orderLineIds: readonly string[]; now: Date },
): Promise<void> => insertCommissionBack(tx, lines)

/** It did not go back after all. */
export const giveCommissionBack = (
  tx: Db,
  lines: { orderLineIds: readonly string[]; now: Date },
): Promise<void> => insertCommissionAgain(tx, lines)
