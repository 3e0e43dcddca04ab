import type { Db } from '../../db/open.ts'
import { selectOpen, selectStatement, type StatementRow } from './rows.ts'
import { receiptOf } from './state.ts'

export { carryOutStatements } from './carry-out.ts'
export { WITHDRAWAL_STATED } from './state.ts'

/** Statements that the owner has to carry out; oldest first. */
export const openStatements = (db: Db, limit: number): Promise<StatementRow[]> => selectOpen(db, limit)

/** What the receipt of a statement says; undefined for none. */
export async function receiptOfStatement(db: Db, id: string) {
  const statement = await selectStatement(db, id)
  return statement && receiptOf(db, statement)
}
