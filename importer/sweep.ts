import { DAY_MS } from '#contract/durations.ts'
import type { Database, Db } from '#server/db/open.ts'
import { everyFile, type MediaStore, type StoredMedia } from '#server/integrations/media/media-store.ts'
import { lockImports } from '#server/features/catalogue/vocabulary-queries.ts'
import { sql } from 'drizzle-orm'

export interface Unnamed {
  /** Stored more than a day ago. */
  readonly old: readonly StoredMedia[]
  /** Possibly part of a running import. */
  readonly young: readonly StoredMedia[]
}

/** Ignores files whose names the shop would not create. */
export async function unnamedMedia(db: Database, media: MediaStore, now: Date): Promise<Unnamed> {
  // List the files first: a file stored after this cannot be mistaken for an unused one.
  const stored = await everyFile(media)
  const named = await selectNamedMedia(db, now)
  const unnamed = stored.filter(({ path }) => {
    const id = idIn(path)
    return id !== undefined && !named.has(id)
  })
  const isOld = ({ changedAt }: StoredMedia) => now.getTime() - changedAt.getTime() > DAY_MS
  return { old: unnamed.filter(isOld), young: unnamed.filter((file) => !isOld(file)) }
}

const FILES_PER_BATCH = 200

/** Checks each batch again while imports are locked out. Returns the number of removed files. */
export async function removeUnnamed(
  db: Database,
  media: Pick<MediaStore, 'remove'>,
  files: readonly StoredMedia[],
  now = new Date(),
): Promise<number> {
  let removed = 0
  for (let from = 0; from < files.length; from += FILES_PER_BATCH) {
    const batch = files.slice(from, from + FILES_PER_BATCH)
    const gone = await db.transaction(async (tx) => {
      await lockImports(tx)
      const named = await selectNamedMedia(tx, now)
      const still = batch.filter(({ path }) => !named.has(idIn(path)!))
      await forgetMedia(tx, [...new Set(still.map(({ path }) => idIn(path)!))])
      return still
    })
    for (const { path } of gone) await media.remove(path)
    removed += gone.length
  }
  return removed
}

const idIn = (path: string): string | undefined =>
  (/^[0-9a-f]{2}\/([0-9a-f]{64})\.(?:mp3|m4a|epub)$/.exec(path) ??
    /^covers\/[0-9a-f]{2}\/([0-9a-f]{32})-[0-9a-z]+\.(?:avif|webp|jpg)$/.exec(path))?.[1]

interface Column extends Record<string, unknown> {
  readonly table: string
  readonly column: string
}

/** An edit of the office that replaced a file can be undone this long. */
const KEPT_FOR_UNDO_DAYS = 30

/**
 * By a foreign key of any table (found in the system catalogue), by a URL in a text, by what a folder says about a
 * field that the owner set, or by an edit that can be undone.
 */
export async function selectNamedMedia(db: Db, now: Date): Promise<Set<string>> {
  const { rows: referring } = await db.execute<Column>(sql`
    select t.relname as table, a.attname as column
    from pg_constraint c join pg_class t on t.oid = c.conrelid
      join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confdeltype <> 'c' and c.confrelid in ('media_files'::regclass, 'covers'::regclass)`)
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
  // A draft or an older version of a piece names its picture and sound by their ids alone.
  for (const [table, column] of [
    ['documents', 'draft'],
    ['documents', 'folder'],
    ['document_versions', 'content'],
  ] as const)
    await add(sql`
      select distinct v.id from ${sql.identifier(table)} d,
        lateral (values (d.${sql.identifier(column)} ->> 'pictureId'), (d.${sql.identifier(column)} ->> 'audioId')) v (id)
      where v.id is not null`)
  const quoted = (text: ReturnType<typeof sql>) =>
    sql`(regexp_matches(${text}, '"([0-9a-f]{64}|[0-9a-f]{32})"', 'g'))[1]`
  await add(
    sql`select distinct ${quoted(sql`source_values::text`)} as id from books where source_values <> '{}'`,
  )
  await add(sql`
    select distinct ${quoted(sql`concat(before, after)`)} as id from logbook
    where command = 'titles edit' and at > ${new Date(now.getTime() - KEPT_FOR_UNDO_DAYS * DAY_MS).toISOString()}::timestamptz`)
  return named
}

export async function forgetMedia(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.execute(sql`delete from media_files where sha256 in ${[...ids]}`)
  await db.execute(sql`delete from covers where id in ${[...ids]}`)
}
