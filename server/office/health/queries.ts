import { asc, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { jobs } from '../../db/schema/jobs.ts'

export const selectJobStates = (db: Db) =>
  db
    .select({
      name: jobs.name,
      endedAt: jobs.endedAt,
      dueAt: jobs.dueAt,
      isRunning: sql<boolean>`coalesce(${jobs.heldUntil} > now(), false)`,
      failures: jobs.failures,
      problem: jobs.problem,
      askedAt: jobs.askedAt,
      succeededAt: jobs.succeededAt,
      progress: jobs.progress,
    })
    .from(jobs)
    .orderBy(asc(jobs.name))
    .limit(200)

interface Traffic extends Record<string, unknown> {
  readonly lastWebhook: string | null
  readonly webhooksToday: number
  readonly sentToday: number
  readonly databaseBytes: number
}

/** Webhook events and emails of the last 24 hours, and the size of the database. */
export async function selectTraffic(db: Db): Promise<Traffic> {
  const { rows } = await db.execute<Traffic>(sql`
    select (select max(received_at)::text from provider_events) as "lastWebhook",
      (select count(*)::int from provider_events where received_at > now() - interval '24 hours') as "webhooksToday",
      (select count(*)::int from mails where sent_at > now() - interval '24 hours') as "sentToday",
      pg_database_size(current_database())::float8 as "databaseBytes"`)
  return rows[0]!
}
