import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

export interface DayOfSales extends Sales {
  /** `2026-11-23` */
  readonly day: string
}

/** Pence. */
export interface Sales {
  readonly orders: number
  /** What carries VAT, VAT included. */
  readonly taxedMinor: number
  readonly vatMinor: number
  /** What carries none. */
  readonly untaxedMinor: number
  readonly backMinor: number
  readonly backVatMinor: number
}

interface Days {
  readonly from: Date
  readonly until: Date
  readonly zone: string
}

/** The days on which something was sold or went back, oldest first. */
export async function selectDays(db: Db, { from, until, zone }: Days): Promise<DayOfSales[]> {
  const within = (at: string) =>
    sql`${sql.raw(at)} >= ${from.toISOString()}::timestamptz and ${sql.raw(at)} < ${until.toISOString()}::timestamptz`
  const dayOf = (at: string) => sql`to_char(${sql.raw(at)} at time zone ${zone}::text, 'YYYY-MM-DD')`
  const { rows } = await db.execute<DayOfSales & Record<string, unknown>>(sql`
    with back as (
      -- What was asked for here, on the day on which the provider took it. One with a problem sent nothing.
      select r.order_id, r.updated_at as at, r.amount_minor as minor, r.line_ids as lines from refunds r
        where r.order_id is not null and r.state in ('sent', 'done') and r.problem is null
      union all
      -- What went back otherwise, as at the provider's own desk.
      select o.id, coalesce((select max(l.refunded_at) from order_lines l where l.order_id = o.id), o.paid_at),
        o.refunded_minor - asked.minor, (select array_agg(l.id) from order_lines l
          where l.order_id = o.id and l.refunded_at is not null and not exists (select 1 from refunds r
            where r.order_id = o.id and l.id = any(r.line_ids)))
      from orders o, lateral (select coalesce(sum(r.amount_minor), 0)::int as minor from refunds r
        where r.order_id = o.id and r.state in ('sent', 'done') and r.problem is null) asked
      where o.refunded_minor > asked.minor
    ), sold as (
      select ${dayOf('o.paid_at')} as day, count(distinct o.id) as orders,
        sum(l.price_minor) filter (where l.vat_percent > 0) as taxed, sum(l.vat_minor) as vat,
        sum(l.price_minor) filter (where l.vat_percent = 0) as untaxed
      from orders o join order_lines l on l.order_id = o.id
      where o.state = 'paid' and o.taken is null and o.total_minor > 0 and ${within('o.paid_at')}
      group by 1
    ), returned as (
      select ${dayOf('b.at')} as day, sum(b.minor) as minor,
        -- Of lines their own; of a sum that fits none its share of the order's.
        sum(case when gone.minor = b.minor then gone.vat
          else round(b.minor::numeric * o.vat_minor / o.total_minor) end) as vat
      from back b join orders o on o.id = b.order_id, lateral (
        select sum(l.price_minor) as minor, sum(l.vat_minor) as vat from order_lines l where l.id = any(b.lines)) gone
      where o.total_minor > 0 and ${within('b.at')}
      group by 1
    )
    select coalesce(s.day, r.day) as day, coalesce(s.orders, 0)::int as orders, coalesce(s.taxed, 0)::int as "taxedMinor",
      coalesce(s.vat, 0)::int as "vatMinor", coalesce(s.untaxed, 0)::int as "untaxedMinor",
      coalesce(r.minor, 0)::int as "backMinor", coalesce(r.vat, 0)::int as "backVatMinor"
    from sold s full join returned r on r.day = s.day order by 1 limit 10000`)
  return rows
}
