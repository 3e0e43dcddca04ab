import type { Sums } from './queries.ts'

export interface StatementTotals extends Sums {
  /** The bookshop's share of it in the end. */
  keepsMinor: number
  /** Its debt; below nothing the shop owes it. */
  toPayMinor: number
}

export const totalsOf = (sums: Sums): StatementTotals => ({
  ...sums,
  keepsMinor: sums.soldMinor - sums.owedMinor + sums.commissionMinor,
  toPayMinor: sums.owedMinor - sums.commissionMinor,
})
