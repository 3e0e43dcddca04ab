import type { Sums } from './rows.ts'

export interface Reckoned extends Sums {
  /** What the bookshop has of it in the end. */
  keepsMinor: number
  /** What it owes; below nothing the shop does. */
  toPayMinor: number
}

export const reckoned = (sums: Sums): Reckoned => ({
  ...sums,
  keepsMinor: sums.soldMinor - sums.owedMinor + sums.commissionMinor,
  toPayMinor: sums.owedMinor - sums.commissionMinor,
})
