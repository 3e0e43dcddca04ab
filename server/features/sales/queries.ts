import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

export interface DayOfSales extends Sales {
  readonly day: string
}

/** In pence. */
export interface Sales {
  readonly orders: number
  readonly taxedMinor: number
  readonly vatMinor: number
  readonly untaxedMinor: number
  readonly backMinor: number
  readonly backVatMinor: number
}

interface Days {
  readonly from: Date
  readonly until: Date
  readonly zone: string
}

const during =
  ({ from, until }: Pick<Days, 'from' | 'until'>) =>
  (at: string) =>
    sql`${sql.raw(at)} >= ${from.toISOString()}::timestamptz and ${sql.raw(at)} < ${until.toISOString()}::timestamptz`

const BACK = sql`
      -- What was asked for here, on the day on which the provider took it. One with a problem sent nothing.
      select r.order_id, r.updated_at as at, r.amount_minor as minor, r.line_ids as lines from refunds r
        where r.order_id is not null and r.state in ('sent', 'done') and r.problem is null
      union all
      -- What went back otherwise, as at the provider's own desk.
      select o.id, coalesce((select max(l.refunded_at) from order_lines l where l.order_id = o.id),
          (select max(u.found_at) from undecided_refunds u where u.order_id = o.id), o.paid_at),
        o.refunded_minor - asked.minor, (select array_agg(l.id) from order_lines l
          where l.order_id = o.id and l.refunded_at is not null and not exists (select 1 from refunds r
            where r.order_id = o.id and l.id = any(r.line_ids)))
      from orders o, lateral (select coalesce(sum(r.amount_minor), 0)::int as minor from refunds r
        where r.order_id = o.id and r.state in ('sent', 'done') and r.problem is null) asked
      where o.refunded_minor > asked.minor`

export async function selectDays(db: Db, { from, until, zone }: Days): Promise<DayOfSales[]> {
  const within = during({ from, until })
  const dayOf = (at: string) => sql`to_char(${sql.raw(at)} at time zone ${zone}::text, 'YYYY-MM-DD')`
  const { rows } = await db.execute<DayOfSales & Record<string, unknown>>(sql`
    with back as (${BACK}), sold as (
      select ${dayOf('o.paid_at')} as day, count(distinct o.id) as orders,
        sum(l.price_minor) filter (where l.vat_percent > 0) as taxed, sum(l.vat_minor) as vat,
        sum(l.price_minor) filter (where l.vat_percent = 0) as untaxed
      from orders o join order_lines l on l.order_id = o.id
      where o.state = 'paid' and o.taken is null and o.total_minor > 0 and ${within('o.paid_at')}
      group by 1
    ), returned as (
      select ${dayOf('b.at')} as day, sum(b.minor) as minor,
        -- The share of the chosen lines' VAT, or of the whole order's if they cost less (refundedLines in service.ts).
        sum(case when gone.minor > 0 and b.minor <= gone.minor then round(b.minor::numeric * gone.vat / gone.minor)
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

export interface SoldLine {
  readonly id: string
  readonly orderId: string
  readonly priceMinor: number
  /** Before discount codes. */
  readonly beforeMinor: number
  readonly vatMinor: number
  readonly vatPercent: number
  readonly kind: 'title' | 'membership' | 'membership_gift'
  readonly title: string
  readonly bookId: number | null
  readonly format: 'audio_book' | 'e_book' | null
  readonly publisher: string | null
  readonly authors: readonly string[]
  readonly narrators: readonly string[]
  readonly country: string
  readonly code: string | null
  /** Otherwise the order had a refund in these days. */
  readonly isSold: boolean
}

const names = (
  role: 'author' | 'narrator',
) => sql`array(select trim(p.first_name || ' ' || p.last_name) from book_people c join people p on p.id = c.person_id
    where c.book_id = l.book_id and c.role = ${role} order by c.position)`

export async function selectLines(db: Db, span: Pick<Days, 'from' | 'until'>): Promise<SoldLine[]> {
  const within = during(span)
  const { rows } = await db.execute<SoldLine & Record<string, unknown>>(sql`
    with back as (${BACK})
    select l.id, l.order_id as "orderId", l.price_minor as "priceMinor", l.original_minor as "beforeMinor",
      l.vat_minor as "vatMinor", l.vat_percent as "vatPercent", l.kind, l.title, l.book_id as "bookId", b.format, p.name as publisher,
      ${names('author')} as authors, ${names('narrator')} as narrators, o.country_code as country,
      coalesce(l.coupon_code, o.coupon_code) as code,
      (o.state = 'paid' and o.taken is null and ${within('o.paid_at')}) is true as "isSold"
    from order_lines l join orders o on o.id = l.order_id
      left join books b on b.id = l.book_id left join publishers p on p.id = b.publisher_id
    where o.total_minor > 0 and (
      (o.state = 'paid' and o.taken is null and ${within('o.paid_at')})
      or exists (select 1 from back where back.order_id = o.id and ${within('back.at')}))
    order by o.paid_at, l.order_id, l.position`)
  return rows
}

export interface MoneyBack {
  readonly orderId: string
  readonly minor: number
  readonly lines: readonly string[] | null
}

export async function selectMoneyBack(db: Db, span: Pick<Days, 'from' | 'until'>): Promise<MoneyBack[]> {
  const { rows } = await db.execute<MoneyBack & Record<string, unknown>>(sql`
    with back as (${BACK})
    select back.order_id as "orderId", back.minor, back.lines from back join orders o on o.id = back.order_id
    where o.total_minor > 0 and ${during(span)('back.at')}`)
  return rows
}

/** A copy without a payment: a member's free audiobook, a card, a free title, or a code that covered the price. */
export interface GivenLine extends Pick<
  SoldLine,
  'kind' | 'title' | 'bookId' | 'format' | 'publisher' | 'authors' | 'narrators'
> {
  readonly by: 'credit' | 'card' | 'free'
}

export async function selectGivenLines(db: Db, span: Pick<Days, 'from' | 'until'>): Promise<GivenLine[]> {
  const { rows } = await db.execute<GivenLine & Record<string, unknown>>(sql`
    select l.kind, l.title, l.book_id as "bookId", b.format, p.name as publisher, ${names('author')} as authors,
      ${names('narrator')} as narrators,
      case when o.taken in ('credit', 'card') then o.taken else 'free' end as by
    from order_lines l join orders o on o.id = l.order_id
      join books b on b.id = l.book_id left join publishers p on p.id = b.publisher_id
    where o.state = 'paid' and l.kind = 'title' and l.price_minor = 0 and l.refunded_at is null
      and ${during(span)('o.paid_at')}
    order by o.paid_at, l.order_id, l.position`)
  return rows
}
