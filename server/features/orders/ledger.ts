import type { Db } from '../../db/open.ts'
import type { Kind } from '../products/kinds.ts'
import {
  anonymise,
  countGiven,
  deleteTaken,
  selectBoughtLines,
  selectCharges,
  updateBuyerEmail,
} from './ledger-queries.ts'

/**
 * Sales, for whoever keeps accounts and memberships. It delivers nothing, so it stands below the rooms that an order
 * needs to deliver, and those may ask it.
 */
export type Charge = Awaited<ReturnType<typeof selectCharges>>[number]
export type BoughtLine = Awaited<ReturnType<typeof selectBoughtLines>>[number]

/** Charges of memberships, newest first. */
export const chargesOf = (db: Db, orderIds: readonly string[]): Promise<readonly Charge[]> =>
  selectCharges(db, orderIds)

/** The number of a kind that an account gave to others and paid for. */
export const givenBy = (db: Db, userId: string, kind: Kind): Promise<number> => countGiven(db, userId, kind)

/** All that an account bought, each line a row, newest order first. */
export const boughtBy = (db: Db, userId: string): Promise<readonly BoughtLine[]> =>
  selectBoughtLines(db, userId)

/** Orders name the corrected address, so that their emails can be sent again. */
export const correctBuyer = (tx: Db, userId: string, from: string, to: string): Promise<void> =>
  updateBuyerEmail(tx, userId, from, to)

/** The law asks for the figures of a sale and the country of its tax, not for who it was; what was taken was no sale. */
export async function forgetBuyer(tx: Db, userId: string): Promise<void> {
  await deleteTaken(tx, userId)
  await anonymise(tx, userId)
}
