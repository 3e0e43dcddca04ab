import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { DaySpan } from '../day-span.ts'

export async function selectHasSold(db: Db): Promise<boolean> {
  const { rows } = await db.execute<{ hasSold: boolean }>(
    sql`select exists (select from orders where paid_at is not null) as "hasSold"`,
  )
  return rows[0]!.hasSold
}

export interface DayOfPeople {
  readonly joined: number
  readonly left: number
  readonly failing: number
  readonly listeners: number
}

/** Memberships that began, ended or could not be charged, and people who listened, in a span of days. */
export async function selectDayOfPeople(db: Db, { from, until }: DaySpan): Promise<DayOfPeople> {
  const within = (at: string) =>
    sql`${sql.raw(at)} >= ${from.toISOString()}::timestamptz and ${sql.raw(at)} < ${until.toISOString()}::timestamptz`
  const { rows } = await db.execute<DayOfPeople & Record<string, unknown>>(sql`
    select
      (select count(*)::int from subscriptions where ${within('ordered_at')}
        and status not in ('incomplete', 'incomplete_expired')) as joined,
      (select count(*)::int from subscriptions where ${within('ended_at')} and status = 'canceled'
        and superseded_at is null) as left,
      (select count(*)::int from subscriptions where ${within('payment_failed_at')}) as failing,
      (select count(distinct user_id)::int from listening_events where ${within('received_at')}) as listeners`)
  return rows[0]!
}
