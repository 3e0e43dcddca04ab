import { sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { countPausedMail } from '../integrations/mail/queries.ts'

interface Server extends Record<string, unknown> {
  readonly version: string
  readonly number: number
  readonly used: number
  readonly allowed: number
}

export async function selectServer(db: Db): Promise<Server> {
  const { rows } = await db.execute<Server>(sql`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
      current_setting('max_connections')::int as allowed`)
  return rows[0]!
}

export async function selectFingerprint(db: Db): Promise<string | undefined> {
  const { rows } = await db.execute<{ fingerprint: string }>(sql`select fingerprint from code_key`)
  return rows[0]?.fingerprint
}

interface Behind {
  readonly sequence: string
  readonly highest: number
}

/** Sequences whose next number is in use: those of columns, and those of printed numbers. */
export async function selectNumbersBehind(db: Db): Promise<Behind[]> {
  const { rows: owned } = await db.execute<{ sequence: string; table: string; column: string }>(sql`
    select s.relname as sequence, t.relname as table, a.attname as column
    from pg_depend d join pg_class s on s.oid = d.objid and s.relkind = 'S'
      join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
    where d.deptype in ('a', 'i') and s.relnamespace = 'public'::regnamespace order by 1`)
  const counted = [
    ...owned.map(({ sequence, table, column }) => ({
      sequence,
      highest: sql`(select max(${sql.identifier(column)})::bigint from ${sql.identifier(table)})`,
    })),
    { sequence: 'order_numbers', highest: sql`(select max(substr(number, 3)::bigint) from orders)` },
    {
      sequence: 'outlet_statement_numbers',
      highest: sql`(select max(substr(number, 3)::bigint) from outlet_statements)`,
    },
  ]
  const behind: Behind[] = []
  for (const { sequence, highest } of counted) {
    const { rows } = await db.execute<{ highest: string | null; last: string | null }>(sql`
      select ${highest}::text as highest,
        (select last_value::text from pg_sequences where schemaname = 'public' and sequencename = ${sequence}) as last`)
    const found = Number(rows[0]?.highest ?? 0)
    if (found > Number(rows[0]?.last ?? 0)) behind.push({ sequence, highest: found })
  }
  return behind
}

export interface MailState {
  readonly waiting: number
  readonly oldestAt: Date | null
  readonly paused: number
  /** In the last week. */
  readonly givenUp: number
}

export async function selectMailState(db: Db): Promise<MailState> {
  const paused = (await countPausedMail(db)).reduce((sum, { count }) => sum + count, 0)
  const { rows } = await db.execute<{ waiting: number; oldestAt: string | null; givenUp: number }>(sql`
    select count(*) filter (where sent_at is null and failed_at is null)::int as waiting,
      (min(queued_at) filter (where sent_at is null and failed_at is null))::text as "oldestAt",
      count(*) filter (where failed_at > now() - interval '7 days')::int as "givenUp"
    from mails`)
  const { waiting, oldestAt, givenUp } = rows[0]!
  // Mail that waits for the owner's release is not late.
  return waiting === paused
    ? { waiting: 0, oldestAt: null, paused, givenUp }
    : { waiting: waiting - paused, oldestAt: oldestAt === null ? null : new Date(oldestAt), paused, givenUp }
}

export async function selectUnknownEvents(db: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  const { rows } = await db.execute<{ known: number }>(
    sql`select count(*)::int as known from provider_events where id in ${[...ids]}`,
  )
  return ids.length - rows[0]!.known
}

interface StoredFile extends Record<string, unknown> {
  readonly path: string
  readonly sha256: string
  readonly bytes: number
}

export async function selectStoredFiles(db: Db): Promise<StoredFile[]> {
  const { rows } = await db.execute<StoredFile>(
    sql`select left(sha256, 2) || '/' || sha256 || '.' || extension as path, sha256, bytes from media_files`,
  )
  return rows
}

export async function selectCovers(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`select id from covers`)
  return rows.map(({ id }) => id)
}

export async function selectTimes(db: Db): Promise<{ there: Date; newestOrder: Date | null }> {
  const { rows } = await db.execute<{ there: string; newestOrder: string | null }>(
    sql`select clock_timestamp()::text as there, (select max(created_at)::text from orders) as "newestOrder"`,
  )
  const { there, newestOrder } = rows[0]!
  return { there: new Date(there), newestOrder: newestOrder === null ? null : new Date(newestOrder) }
}

/** Titles on sale without sound or text that are not made after the purchase either. */
export async function selectWithNothingToDeliver(db: Db): Promise<string[]> {
  const { rows } = await db.execute<{ slug: string }>(sql`
    select slug from books b
    where sellable and not made_after_purchase and file_id is null
      and not exists (select from chapters c where c.book_id = b.id)
    order by slug limit 1000`)
  return rows.map(({ slug }) => slug)
}
