import type { Db } from '../../db/open.ts'
import { selectStatement } from './queries.ts'
import { receiptOf } from './statements.ts'

export async function receiptOfStatement(db: Db, id: string) {
  const statement = await selectStatement(db, id)
  return statement && receiptOf(db, statement)
}
