import type { Db } from '../../db/open.ts'
import type { Kind } from '../products/product.ts'
import {
  anonymise,
  countGiven,
  deleteTaken,
  selectBoughtLines,
  selectCharges,
  updateBuyerEmail,
} from './ledger-queries.ts'

/**
 * Past sales, for the account and membership features. This file delivers nothing and imports no feature that delivers
 * orders. Features that deliver can therefore import it.
 */
export type Charge = Awaited<ReturnType<typeof selectCharges>>[number]
export type BoughtLine = Awaited<ReturnType<typeof selectBoughtLines>>[number]

export const chargesOf = (db: Db, orderIds: readonly string[]): Promise<readonly Charge[]> =>
  selectCharges(db, orderIds)

/** The number of gifts of this kind that the account has paid for. */
export const givenBy = (db: Db, userId: string, kind: Kind): Promise<number> => countGiven(db, userId, kind)

/** Everything that the account bought, one row per line, newest order first. */
export const boughtBy = (db: Db, userId: string): Promise<readonly BoughtLine[]> =>
  selectBoughtLines(db, userId)

/** Writes the corrected address into the orders, so that their emails can be sent again. */
export const correctBuyer = (tx: Db, userId: string, from: string, to: string): Promise<void> =>
  updateBuyerEmail(tx, userId, from, to)

/**
 * The law requires the amounts of a sale and the country of its VAT, but not the buyer's identity. Titles that were
 * taken without payment are no sales, so those orders are deleted.
 */
export async function forgetBuyer(tx: Db, userId: string): Promise<void> {
  await deleteTaken(tx, userId)
  await anonymise(tx, userId)
}
