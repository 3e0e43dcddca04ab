import type { Sums } from './queries.ts'

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
