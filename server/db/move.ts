import { sql } from 'drizzle-orm'
import type { PoolClient } from 'pg'
import type { OpenDatabase } from './open.ts'

const ROWS_AT_ONCE = 2_000

export interface Moved {
  readonly tables: number
  readonly rows: number
}

/** The other database has something in it already. Nothing was changed. */
export class NotEmpty extends Error {
  constructor(table: string) {
    super(`The database to move into is not empty: ${table} has rows. Use an empty one.`)
  }
}

/**
 * Copies every row of one shop's database into another one, empty and with the same migrations, in one transaction:
 * a move that is interrupted has not happened. The old database stays as it was.
 *
 * @throws {NotEmpty}
 */
export async function moveDatabase(from: OpenDatabase, into: OpenDatabase): Promise<Moved> {
  const [source, target] = [await from.pool.connect(), await into.pool.connect()]
  try {
    await source.query('begin isolation level repeatable read read only')
    await target.query('begin')
    const tables = await inOrderOfReference(target)
    for (const { name } of tables)
      if ((await target.query(`select 1 from ${name} limit 1`)).rowCount) throw new NotEmpty(name)

    let rows = 0
    for (const table of tables) rows += await copyTable(source, target, table)
    await followSequences(source, target)
    await target.query('commit')
    return { tables: tables.length, rows }
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

interface Table {
  /** Quoted. */
  readonly name: string
  /** Quoted, without those the database computes; in the order of the table. */
  readonly columns: string
  /** Quoted names of the references to rows of the same table, which may come later. */
  readonly selfReferences: readonly string[]
}

/** A table after those it refers to. */
async function inOrderOfReference(client: PoolClient): Promise<Table[]> {
  const { rows: tables } = await client.query<{ name: string; columns: string }>(`
    select c.oid::regclass::text as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
    group by c.oid order by 1`)
  const { rows: references } = await client.query<{ table: string; needs: string; constraint: string }>(`
    select conrelid::regclass::text as table, confrelid::regclass::text as needs,
      quote_ident(conname) as constraint
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)

  const ordered: Table[] = []
  const placed = new Set<string>()
  let left = tables
  while (left.length > 0) {
    const next = left.filter(({ name }) =>
      references.every(({ table, needs }) => table !== name || needs === name || placed.has(needs)),
    )
    if (next.length === 0)
      throw new Error(`Tables refer to each other: ${left.map(({ name }) => name).join()}`)
    for (const { name, columns } of next) {
      const own = references.filter(({ table, needs }) => table === name && needs === name)
      ordered.push({ name, columns, selfReferences: own.map(({ constraint }) => constraint) })
      placed.add(name)
    }
    left = left.filter(({ name }) => !placed.has(name))
  }
  return ordered
}

async function copyTable(source: PoolClient, target: PoolClient, table: Table): Promise<number> {
  const { name, columns, selfReferences } = table
  for (const constraint of selfReferences)
    await target.query(`alter table ${name} alter constraint ${constraint} deferrable initially deferred`)
  await source.query(
    `declare copied no scroll cursor for select to_jsonb(copied)::text as row from ${name} copied`,
  )
  let count = 0
  for (;;) {
    const { rows } = await source.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from copied`)
    if (rows.length === 0) break
    await target.query(
      `insert into ${name} (${columns}) overriding system value
       select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
      [`[${rows.map(({ row }) => row).join()}]`],
    )
    count += rows.length
  }
  await source.query('close copied')
  await target.query('set constraints all immediate')
  for (const constraint of selfReferences)
    await target.query(`alter table ${name} alter constraint ${constraint} not deferrable`)
  return count
}

/**
 * The next number must not be one that was given out before: of orders and statements, and of who asked the provider last.
 * All sequences go on from where they stood, also those that no column owns.
 */
async function followSequences(source: PoolClient, target: PoolClient): Promise<void> {
  const { rows } = await source.query<{ name: string; last: string }>(`
    select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, last_value::text as last
    from pg_sequences where schemaname = 'public' and last_value is not null`)
  for (const { name, last } of rows) await target.query('select setval($1, $2)', [name, last])
}
