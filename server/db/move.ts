import { sql } from 'drizzle-orm'
import type { OpenDatabase } from './open.ts'
import {
  checkSelfReferences,
  deferSelfReferences,
  readRows,
  readSequences,
  selectTables,
  writeRows,
  writeSequences,
} from './tables.ts'

export interface Moved {
  readonly tables: number
  readonly rows: number
}

export class NotEmpty extends Error {
  constructor(table: string) {
    super(`The database to move into is not empty: ${table} has rows. Use an empty one.`)
  }
}

/** Copies all rows in one transaction into an empty database with the same migrations. @throws {NotEmpty} */
export async function moveDatabase(from: OpenDatabase, into: OpenDatabase): Promise<Moved> {
  const [source, target] = [await from.pool.connect(), await into.pool.connect()]
  try {
    await source.query('begin isolation level repeatable read read only')
    await target.query('begin')
    const tables = await selectTables(target)
    for (const { name } of tables)
      if ((await target.query(`select 1 from ${name} limit 1`)).rowCount) throw new NotEmpty(name)

    let count = 0
    await deferSelfReferences(target, tables)
    for (const table of tables)
      for await (const { json } of readRows(source, table)) count += await writeRows(target, table, json)
    await checkSelfReferences(target, tables)
    await writeSequences(target, await readSequences(source))
    await target.query('commit')
    return { tables: tables.length, rows: count }
  } catch (error) {
    await target.query('rollback')
    throw error
  } finally {
    await source.query('rollback')
    source.release()
    target.release()
    await into.db.execute(sql`analyze`)
  }
}
