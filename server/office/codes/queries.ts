import { sql } from 'drizzle-orm'
import type { CodeState } from '#contract/office/codes.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import type { DiscountRow } from '../../features/discounts/queries.ts'

interface CodeFilter {
  readonly words?: string | undefined
  readonly state?: CodeState | undefined
}

export interface CodeWithCost extends Record<string, unknown> {
  readonly code: string
  readonly type: DiscountRow['type']
  readonly percent: number | null
  readonly amountMinor: number | null
  readonly uses: number | null
  readonly state: CodeState
  readonly startsAt: string | null
  readonly endsAt: string | null
  readonly costMinor: number
  readonly soldMinor: number
}

/** What each took off the lines of paid orders. */
const found = ({ words, state }: CodeFilter, now: BusinessTime) => {
  const at = sql`${now.toISOString()}::timestamptz`
  const like = words === undefined ? '%' : `%${words.toUpperCase().replaceAll(/[%_\\]/g, String.raw`\$&`)}%`
  return sql`with found as (
    select * from (select d.code, d.type, d.percent, d.amount_minor as "amountMinor", d.uses,
        d.starts_at::text as "startsAt", d.ends_at::text as "endsAt",
        case when d.stopped_at is not null or not d.active then 'stopped' when d.starts_at > ${at} then 'later'
          when d.ends_at <= ${at} then 'over' else 'works' end as state
      from discounts d where upper(d.code) like ${like}) all_codes
    where ${state === undefined ? sql`true` : sql`state = ${state}`}
  ), cost as (
    select found.code, coalesce(sum(l.original_minor - l.price_minor), 0)::int as "costMinor",
      coalesce(sum(l.price_minor), 0)::int as "soldMinor"
    from found left join orders o on o.coupon_code = found.code and o.state = 'paid' and o.taken is null
      left join order_lines l on l.order_id = o.id
    group by found.code)`
}

export async function selectCodesWithCost(
  db: Db,
  filter: CodeFilter,
  {
    after,
    limit,
    now,
  }: { readonly after: string | undefined; readonly limit: number; readonly now: BusinessTime },
): Promise<CodeWithCost[]> {
  const { rows } = await db.execute<CodeWithCost>(sql`${found(filter, now)}
    select found.*, cost."costMinor", cost."soldMinor" from found join cost using (code)
    where ${after === undefined ? sql`true` : sql`found.code > ${after}`} order by found.code limit ${limit}`)
  return rows
}

export async function sumCodes(db: Db, filter: CodeFilter, now: BusinessTime) {
  const { rows } = await db.execute<{ count: number; costMinor: number }>(sql`${found(filter, now)}
    select count(*)::int as count, coalesce(sum("costMinor"), 0)::int as "costMinor" from cost`)
  return rows[0]!
}
