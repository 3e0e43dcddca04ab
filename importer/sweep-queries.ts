import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/open.ts'

interface Column extends Record<string, unknown> {
  readonly table: string
  readonly column: string
}

/**
 * Ids of media in use: referred to by a foreign key of any table, or by a URL in a text. Tables are found in the system
 * catalogue, so new ones are included.
 */
export async function selectNamedMedia(db: Db): Promise<Set<string>> {
  const { rows: referring } = await db.execute<Column>(sql`
    select t.relname as table, a.attname as column
    from pg_constraint c join pg_class t on t.oid = c.conrelid
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid in ('media_files'::regclass, 'covers'::regclass)`)
  const { rows: texts } = await db.execute<Column>(sql`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'json', 'jsonb')`)
  const named = new Set<string>()
  const add = async (ids: ReturnType<typeof sql>) => {
    const { rows } = await db.execute<{ id: string }>(ids)
    for (const { id } of rows) named.add(id)
  }
  for (const { table, column } of referring)
    await add(sql`
      select distinct ${sql.identifier(column)} as id from ${sql.identifier(table)}
      where ${sql.identifier(column)} is not null`)
  for (const { table, column } of texts) {
    const text = sql`${sql.identifier(column)}::text`
    await add(sql`
      select distinct (regexp_matches(${text}, '/media/[a-z0-9_/]*/([0-9a-f]{32,64})[.-]', 'g'))[1] as id
      from ${sql.identifier(table)} where ${text} like '%/media/%'`)
  }
  return named
}

export async function forgetMedia(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.execute(sql`delete from media_files where sha256 in ${[...ids]}`)
  await db.execute(sql`delete from covers where id in ${[...ids]}`)
}
