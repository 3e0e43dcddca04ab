import type { ClientBase, Pool } from 'pg'

const ROWS_AT_ONCE = 2_000

export interface Table {
  readonly name: string
  /** Quoted names in table order, without generated columns. */
  readonly columns: string
  /** Quoted names of foreign keys to the same table, whose rows may come later. */
  readonly selfReferences: readonly string[]
}

export interface Rows {
  readonly count: number
  /** JSON array of objects, in which every value has the database's full precision. */
  readonly json: string
}

/** All tables of the shop, ordered so that each comes after the tables that it references. */
export async function selectTables(client: ClientBase): Promise<Table[]> {
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

export async function* readRows(client: ClientBase, { name }: Table): AsyncGenerator<Rows> {
  await client.query(
    `declare reading no scroll cursor for select to_jsonb(reading)::text as row from ${name} reading`,
  )
  for (;;) {
    const { rows } = await client.query<{ row: string }>(`fetch ${ROWS_AT_ONCE} from reading`)
    if (rows.length === 0) break
    yield { count: rows.length, json: `[${rows.map(({ row }) => row).join()}]` }
  }
  await client.query('close reading')
}

/** Call it in the order of the tables, between `deferSelfReferences` and `checkSelfReferences`. */
export async function writeRows(client: ClientBase, { name, columns }: Table, json: string): Promise<number> {
  const { rowCount } = await client.query(
    `insert into ${name} (${columns}) overriding system value
     select ${columns} from jsonb_populate_recordset(null::${name}, $1::jsonb)`,
    [json],
  )
  return rowCount ?? 0
}

export async function deferSelfReferences(client: ClientBase, tables: readonly Table[]): Promise<void> {
  for (const { name, selfReferences } of tables)
    for (const constraint of selfReferences)
      await client.query(`alter table ${name} alter constraint ${constraint} deferrable initially deferred`)
}

export async function checkSelfReferences(client: ClientBase, tables: readonly Table[]): Promise<void> {
  await client.query('set constraints all immediate')
  for (const { name, selfReferences } of tables)
    for (const constraint of selfReferences)
      await client.query(`alter table ${name} alter constraint ${constraint} not deferrable`)
}

export interface Sequence {
  readonly name: string
  readonly last: string
}

export async function readSequences(client: ClientBase): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(`
    select quote_ident(schemaname) || '.' || quote_ident(sequencename) as name, last_value::text as last
    from pg_sequences where schemaname = 'public' and last_value is not null order by 1`)
  return rows
}

/** Continues after the last numbers plus `ahead`: numbers of orders and statements must never repeat. */
export async function writeSequences(
  client: ClientBase,
  sequences: readonly Sequence[],
  ahead = 0,
): Promise<void> {
  for (const { name, last } of sequences)
    await client.query('select setval($1, $2::bigint + $3)', [name, last, ahead])
}

export async function emptyDatabase(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ tables: string | null }>(
    `SELECT string_agg(format('%I', tablename), ', ') AS tables FROM pg_tables WHERE schemaname = 'public'`,
  )
  if (rows[0]?.tables) await pool.query(`TRUNCATE ${rows[0].tables} RESTART IDENTITY CASCADE`)
}
