import { sql } from 'drizzle-orm'
import type { PlanId } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'

/** Current members, members who will change to the plan, and recipients of gifts that are not redeemed. */
export async function countByPlan(db: Db): Promise<{ plan: PlanId; people: number }[]> {
  const { rows } = await db.execute<{ plan: PlanId; people: number }>(sql`
    select plan, count(*)::int as people from (
      select plan from subscriptions
        where status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused')
      union all
      select pending_plan from subscriptions
        where pending_plan is not null and status in ('trialing', 'active', 'past_due', 'unpaid', 'paused')
      union all
      select plan from membership_gifts where begun_at is null and revoked_at is null and lapsed_at is null
    ) had group by plan order by plan`)
  return rows
}
