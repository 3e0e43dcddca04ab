import { asc, sql } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { jobs } from '../db/schema/jobs.ts'

export interface State {
  readonly mailWaiting: number
  /** Null if no mail waits. */
  readonly oldestMailSeconds: number | null
  readonly ordersWaiting: number
  readonly refundsOwed: number
  readonly refundsOwedPence: number
  /** Unix time in seconds; null if no webhook event has arrived yet. */
  readonly lastWebhookAt: number | null
}

/** Counts of waiting work in a single query. Each part reads a partial index that contains only waiting rows. */
export async function selectState(db: Db, now: Date): Promise<State> {
  const { rows } = await db.execute<State & Record<string, unknown>>(sql`
    select mails.waiting as "mailWaiting",
      extract(epoch from ${now.toISOString()}::timestamptz - mails.oldest)::float8 as "oldestMailSeconds",
      (select count(*)::int from orders where state = 'awaiting_payment') as "ordersWaiting",
      refunds.owed as "refundsOwed", refunds.pence as "refundsOwedPence",
      (select extract(epoch from max(received_at))::float8 from provider_events) as "lastWebhookAt"
    from (select count(*)::int as waiting, min(queued_at) as oldest from mails
        where sent_at is null and failed_at is null
          -- One that waits for its owner's word is due in no time that could be waited for.
          and next_attempt_at < now() + interval '1 day') mails,
      (select count(*)::int as owed, coalesce(sum(amount_minor), 0)::int as pence from refunds
        where next_try_at is not null and state in ('asked', 'refused', 'failed')) refunds`)
  return rows[0]!
}

export const selectJobs = (db: Db) =>
  db
    .select({ name: jobs.name, succeededAt: jobs.succeededAt, failures: jobs.failures })
    .from(jobs)
    .orderBy(asc(jobs.name))
    .limit(200)
