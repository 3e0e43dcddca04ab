import { asc, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { jobs } from '../db/schema/jobs.ts'

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
