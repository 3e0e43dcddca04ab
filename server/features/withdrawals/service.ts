import type { Db } from '../../db/open.ts'
import { selectOpen, selectStatement, type StatementRow } from './queries.ts'
import { receiptOf } from './statements.ts'

/** Statements that the owner has to carry out; oldest first. */
export const openStatements = (db: Db, limit: number): Promise<StatementRow[]> => selectOpen(db, limit)

/** What the receipt of a statement says; undefined for none. */
export async function receiptOfStatement(db: Db, id: string) {
  const statement = await selectStatement(db, id)
  return statement && receiptOf(db, statement)
}
