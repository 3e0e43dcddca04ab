import { and, asc, desc, eq, gte, isNotNull, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { jobs, todoDone } from '../db/schema/jobs.ts'
import { mails } from '../db/schema/mails.ts'
import { subscriptions } from '../db/schema/membership.ts'
import { orders, payments } from '../db/schema/orders.ts'

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
  /** Waits for the owner's release since the shop was restored. */
  readonly paused: number
  /** Refused for good in the last week. Cancelled mail does not count. */
  readonly givenUp: number
}

/** Mail that waits for the owner's release is due in the year 9999; a retry is due within six hours. */
export async function selectMailState(db: Db): Promise<MailState> {
  const { rows } = await db.execute<Omit<MailState, 'oldestAt'> & { oldestAt: string | null }>(sql`
    select waiting, "oldestAt", paused,
      (select count(*)::int from mails
        where failed_at > now() - interval '7 days' and ${WAS_REFUSED}) as "givenUp"
    from (select count(*) filter (where is_due)::int as waiting,
        (min(queued_at) filter (where is_due))::text as "oldestAt",
        count(*) filter (where not is_due)::int as paused
      from (select queued_at, next_attempt_at < now() + interval '1 day' as is_due from mails
        where sent_at is null and failed_at is null) unsent) waiting_mail`)
  const { oldestAt, ...state } = rows[0]!
  return { ...state, oldestAt: oldestAt === null ? null : new Date(oldestAt) }
}

const WAS_REFUSED = isNotNull(mails.problem)

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

/** Numbers of titles. Those without a cover or a summary are on sale. */
export interface Titles {
  readonly hasTitles: boolean
  readonly withoutFile: number
  readonly withoutCover: number
  readonly withoutSummary: number
}

export async function selectTitles(db: Db): Promise<Titles> {
  const { rows } = await db.execute<Titles & Record<string, unknown>>(sql`
    select exists (select 1 from books) as "hasTitles",
      count(*) filter (where not b.deliverable and b.preorder is null)::int as "withoutFile",
      count(*) filter (where b.sellable and b.cover_id is null)::int as "withoutCover",
      count(*) filter (where b.sellable and b.summary = '')::int as "withoutSummary"
    from books b where b.published and b.sellable is not null`)
  return rows[0]!
}

export interface PagesAndSeller {
  readonly pages: readonly string[]
  /** What the imported settings say; `shop.json` can say it as well. */
  readonly hasAddress: boolean
  readonly hasVatNumber: boolean
}

export async function selectPagesAndSeller(db: Db): Promise<PagesAndSeller> {
  const { rows } = await db.execute<PagesAndSeller & Record<string, unknown>>(sql`
    select (select coalesce(jsonb_agg(slug), '[]') from info_pages) as pages,
      exists (select 1 from content_records where name = 'settings' and content ? 'address') as "hasAddress",
      exists (select 1 from content_records where name = 'settings' and content ? 'vatNumber') as "hasVatNumber"`)
  return rows[0]!
}

/** For this long a mail that was given up may still be useful to its recipient. */
const MAIL_DAYS = 30

export const selectFailingJobs = (db: Db, times: number, limit: number) =>
  db
    .select({
      name: jobs.name,
      failures: jobs.failures,
      since: jobs.failingSince,
      problem: jobs.problem,
    })
    .from(jobs)
    .where(gte(jobs.failures, times))
    .orderBy(asc(jobs.name))
    .limit(limit)

export const selectGivenUpMails = (db: Db, limit: number) =>
  db
    .select({ id: mails.id, kind: mails.kind, key: mails.key, problem: mails.problem, since: mails.failedAt })
    .from(mails)
    .where(and(WAS_REFUSED, sql`${mails.failedAt} > now() - make_interval(days => ${MAIL_DAYS})`))
    .orderBy(desc(mails.failedAt))
    .limit(limit)

export const selectContradictions = (db: Db, limit: number) =>
  db
    .select({
      id: subscriptions.id,
      userId: subscriptions.userId,
      providerId: subscriptions.providerId,
      status: subscriptions.status,
      contradictedBy: subscriptions.contradictedBy,
      since: subscriptions.contradictedAt,
    })
    .from(subscriptions)
    .where(isNotNull(subscriptions.contradictedAt))
    .orderBy(asc(subscriptions.contradictedAt))
    .limit(limit)

export const selectUncheckedOrders = (db: Db, times: number, limit: number) =>
  db
    .select({
      id: orders.id,
      number: orders.number,
      intentId: payments.intentId,
      failures: payments.checkFailures,
      problem: payments.checkProblem,
      since: payments.checkedAt,
    })
    .from(payments)
    .innerJoin(orders, eq(orders.id, payments.orderId))
    .where(gte(payments.checkFailures, times))
    .orderBy(asc(orders.createdAt))
    .limit(limit)

export const selectDisputes = (db: Db, limit: number) =>
  db
    .select({ id: orders.id, number: orders.number, intentId: payments.intentId, since: orders.disputedAt })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(isNotNull(orders.disputedAt))
    .orderBy(asc(orders.disputedAt))
    .limit(limit)

export async function selectDone(db: Db): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.select().from(todoDone).orderBy(desc(todoDone.doneAt)).limit(10_000)
  return new Map(rows.map(({ key, doneAt }) => [key, doneAt]))
}

export async function insertDone(db: Db, key: string, doneAt: Date): Promise<void> {
  await db
    .insert(todoDone)
    .values({ key, doneAt })
    .onConflictDoUpdate({ target: todoDone.key, set: { doneAt } })
}

/** Puts an entry back as it was; null if it was never put aside. */
export async function restoreDone(db: Db, key: string, doneAt: Date | null): Promise<void> {
  if (doneAt) await insertDone(db, key, doneAt)
  else await db.delete(todoDone).where(eq(todoDone.key, key))
}

/** Accounts of the demo, whose password is public. The domain `.example` is reserved, so no customer has such an address. */
export async function hasDemoAccounts(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ found: boolean }>(
    sql`select exists (select 1 from users where email like '%@murmur.example') as found`,
  )
  return rows[0]!.found
}

export interface Waiting {
  readonly orders: number
  readonly refunds: number
  readonly refundsPence: number
  /** Unix time in seconds; null if no webhook event has arrived yet. */
  readonly lastWebhookAt: number | null
}

/** Counts of waiting work in a single query. Each part reads a partial index that contains only waiting rows. */
export async function selectWaiting(db: Db): Promise<Waiting> {
  const { rows } = await db.execute<Waiting & Record<string, unknown>>(sql`
    select owed.refunds, owed."refundsPence",
      (select count(*)::int from orders where state = 'awaiting_payment') as orders,
      (select extract(epoch from max(received_at))::float8 from provider_events) as "lastWebhookAt"
    from (select count(*)::int as refunds, coalesce(sum(amount_minor), 0)::int as "refundsPence" from refunds
      where next_try_at is not null and state in ('asked', 'refused', 'failed')) owed`)
  return rows[0]!
}

export const selectJobs = (db: Db) =>
  db
    .select({ name: jobs.name, succeededAt: jobs.succeededAt, failures: jobs.failures })
    .from(jobs)
    .orderBy(asc(jobs.name))
    .limit(200)
