import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

/** When the calendar has something to do next, after `now`; what is due already is not told. */
export async function selectNextDue(db: Db, now: Date): Promise<Date | null> {
  const { rows } = await db.execute<{ at: string | Date | null }>(sql`
    select min(due.at) as at
    from subscriptions s, lateral (values
      (case when s.status = 'active' and s.provider_id is null and (s.gift or s.payment_type is null)
        then s.valid_until + interval '1 millisecond' end),
      (case when s.status = 'active' and s.provider_id is null and s.coupon_code is not null
        then s.valid_until - interval '7 days' end),
      (case when s.status = 'trialing' and s.canceled_at is null then s.trial_ends_at - interval '7 days' end),
      (case when s.status = 'trialing' and s.canceled_at is null then s.trial_ends_at - interval '3 days' end),
      (case when s.status = 'active' and s.provider_id is not null and s.canceled_at is null
        then s.period_end - interval '14 days' end),
      (case when s.status = 'past_due' then s.payment_failed_at + interval '5 days' end)
    ) due (at)
    where due.at > ${now.toISOString()}::timestamptz`)
  const at = rows[0]?.at ?? null
  return at === null ? null : new Date(at)
}
