import type { Db } from '../../db/open.ts'
import { selectOpen, selectStatement, type StatementRow } from './queries.ts'
import { receiptOf } from './statements.ts'

export const openStatements = (db: Db, limit: number): Promise<StatementRow[]> => selectOpen(db, limit)

export async function receiptOfStatement(db: Db, id: string) {
  const statement = await selectStatement(db, id)
  return statement && receiptOf(db, statement)
}
