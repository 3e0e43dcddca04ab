import type { ClientBase } from 'pg'

/** Describes the schema of a database, one line per object, to compare two databases. */
export async function catalogueOf(client: ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    select concat_ws(' ', 'column', c.oid::regclass, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull then 'not null' end, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid)) as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relkind in ('r', 'p', 'v', 'm') and c.relnamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid), convalidated)
    from pg_constraint where connamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'index', pg_get_indexdef(i.indexrelid), i.indisvalid)
    from pg_index i join pg_class c on c.oid = i.indexrelid where c.relnamespace = 'public'::regnamespace
    union all
    select concat_ws(' ', 'trigger', pg_get_triggerdef(oid), tgenabled) from pg_trigger where not tgisinternal
    union all
    select concat_ws(' ', 'function', pg_get_functiondef(p.oid)) from pg_proc p
    where p.pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
    union all
    select concat_ws(' ', 'sequence', sequencename, data_type, start_value, min_value, max_value, increment_by, cycle)
    from pg_sequences where schemaname = 'public'
    union all
    select concat_ws(' ', 'extension', extname, extversion) from pg_extension
    order by 1`)
  return rows.map(({ line }) => line)
}

/** The number of rows per table, without the empty tables. */
export async function rowsIn(client: ClientBase): Promise<Record<string, number>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
  )
  const question = tables.map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name}`)
  const { rows } = await client.query<{ name: string; count: number }>(question.join(' union all '))
  return Object.fromEntries(rows.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]))
}
