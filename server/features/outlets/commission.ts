import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { shareOf } from '../prices/pricing.ts'
import { insertCommission, selectEarningLines, type Sums } from './queries.ts'

/**
 * A percentage of each net price, rounded half up, in the transaction of the payment. In `amountMinor`, a negative
 * amount is owed by the shop.
 */
export async function earnCommission(
  tx: Db,
  order: { orderId: string; userId: string; now: BusinessTime },
): Promise<void> {
  const lines = await selectEarningLines(tx, order)
  const earned = lines.map((line) => ({ ...line, amountMinor: -shareOf(line.netMinor, line.percent) }))
  await insertCommission(tx, earned, order.now)
}

export interface StatementTotals extends Sums {
  /** Its margin on cards, and its commission. */
  keepsMinor: number
  /** Negative if the shop owes the bookshop. */
  toPayMinor: number
}

export const totalsOf = (sums: Sums): StatementTotals => ({
  ...sums,
  keepsMinor: sums.soldMinor - sums.owedMinor + sums.commissionMinor,
  toPayMinor: sums.owedMinor - sums.commissionMinor,
})
