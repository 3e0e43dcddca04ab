import { sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { Subjects } from './finding.ts'

/** Skip payments of the last 15 minutes: their delivery may still be in progress. */
const SETTLED_AFTER = sql`interval '15 minutes'`
const AT_MOST = 200

export interface Mismatch extends Record<string, unknown> {
  /** Null for an order without an account. */
  readonly userId: string | null
  readonly orderId?: string
  /** The id of the row with the difference. */
  readonly id: string
  readonly about: string
}

const ask = async (db: Db, query: SQL): Promise<Mismatch[]> => (await db.execute<Mismatch>(query)).rows

export type Asked = Extract<Subjects, { userIds: unknown }> & { readonly now: Date }
export type AskedOrders = Subjects & { readonly now: Date }

const idsOf = ({ userIds }: Asked) => sql`any(${sql.param([...userIds])}::uuid[])`
const isAsked = (of: AskedOrders) =>
  'userIds' in of
    ? sql`o.user_id = ${idsOf(of)}`
    : sql`o.user_id is null and o.id = any(${sql.param([...of.orderIds])}::uuid[])`
const at = ({ now }: { readonly now: Date }) => sql`${now.toISOString()}::timestamptz`

/** Library titles without a payment. */
export const selectUnpaidTitles = (db: Db, of: Asked) =>
  ask(
    db,
    sql`
    select l.user_id as "userId", l.id, b.title as about from library_entries l join books b on b.id = l.book_id
    where l.user_id = ${idsOf(of)} and case
      when l.source in ('purchase', 'credit', 'card') then not exists (
        select from order_lines i join orders o on o.id = i.order_id
        where i.entry_id = l.id and o.user_id = l.user_id and o.state = 'paid' and i.refunded_at is null)
      when l.source = 'gift' then not exists (
        select from gifts g where g.entry_id = l.id and g.claimed_by = l.user_id and g.revoked_at is null)
      else false end
    order by l.id limit ${AT_MOST}`,
  )

export const selectUndeliveredLines = (db: Db, of: AskedOrders) =>
  ask(
    db,
    sql`
    select o.user_id as "userId", o.id as "orderId", i.id, o.number as about from orders o join order_lines i on i.order_id = o.id
    where ${isAsked(of)} and o.state = 'paid' and i.refunded_at is null
      -- An open dispute removes the purchase.
      and o.disputed_at is null
      and o.paid_at < ${at(of)} - ${SETTLED_AFTER}
      and not exists (select from refunds r where r.key = 'unneeded:' || i.id)
      and case
        when i.kind = 'title' and i.gift then not exists (
          select from gifts g where g.order_line_id = i.id and g.revoked_at is null)
        -- A deleted account has no library.
        when i.kind = 'title' and o.user_id is null then false
        when i.kind = 'title' and i.entry_id is null then i.price_minor > 0
        when i.kind = 'title' then not exists (
          select from library_entries l where l.id = i.entry_id and l.user_id = o.user_id)
        when i.kind = 'membership_gift' then i.membership_gift_id is null
        else false end
    order by i.id limit ${AT_MOST}`,
  )

/** Orders whose lines do not add up to the payment. */
export const selectWrongSums = (db: Db, of: AskedOrders) =>
  ask(
    db,
    sql`
    select o.user_id as "userId", o.id as "orderId", o.id, o.number as about from orders o
    join lateral (select sum(price_minor) as price, sum(vat_minor) as vat from order_lines where order_id = o.id) i on true
    where ${isAsked(of)} and o.state = 'paid'
      and (coalesce(i.price, 0) <> o.total_minor or coalesce(i.vat, 0) <> o.vat_minor)
    order by o.id limit ${AT_MOST}`,
  )

/** Paid orders without a payment id of the provider. */
export const selectOrdersWithoutPayment = (db: Db, of: AskedOrders) =>
  ask(
    db,
    sql`
    select o.user_id as "userId", o.id as "orderId", o.id, o.number as about from orders o left join payments p on p.order_id = o.id
    where ${isAsked(of)} and o.state = 'paid' and o.taken is null and o.total_minor > 0 and p.intent_id is null
      -- The demo’s orders were never paid at a provider.
      and o.fingerprint <> 'demo'
      and not exists (select from subscription_invoices s where s.order_id = o.id)
    order by o.id limit ${AT_MOST}`,
  )

export const selectUnrecordedRefunds = (db: Db, of: AskedOrders) =>
  ask(
    db,
    sql`
    select o.user_id as "userId", o.id as "orderId", o.id, o.number as about from orders o
    where ${isAsked(of)} and o.state = 'paid' and o.refunded_minor < o.total_minor
      and o.refunded_minor < (select coalesce(sum(r.amount_minor), 0) from refunds r
        where r.order_id = o.id and r.state = 'done' and r.updated_at < ${at(of)} - ${SETTLED_AFTER})
    order by o.id limit ${AT_MOST}`,
  )

export const selectSpentForNothing = (db: Db, of: Asked) =>
  ask(
    db,
    sql`
    select c.user_id as "userId", c.id, b.title as about from credits c join books b on b.id = c.book_id
    where c.user_id = ${idsOf(of)} and c.spent_at is not null
      and not exists (select from library_entries l where l.user_id = c.user_id and l.book_id = c.book_id)
    order by c.id limit ${AT_MOST}`,
  )

export const selectTakenWithoutCredit = (db: Db, of: Asked) =>
  ask(
    db,
    sql`
    select o.user_id as "userId", i.id, i.title as about from orders o join order_lines i on i.order_id = o.id
    where o.user_id = ${idsOf(of)} and o.taken = 'credit' and o.state = 'paid' and i.refunded_at is null
      and not exists (select from credits c
        where c.user_id = o.user_id and c.book_id = i.book_id and c.spent_at is not null)
    order by i.id limit ${AT_MOST}`,
  )

/** Otherwise the account or the card could start another trial. */
export const selectUnrecordedTrials = (db: Db, of: Asked) =>
  ask(
    db,
    sql`
    select s.user_id as "userId", s.id, 'plan ' || s.plan as about from subscriptions s
    where s.user_id = ${idsOf(of)} and s.trial_ends_at is not null and s.provider_id is not null
      and s.status not in ('incomplete', 'incomplete_expired') and s.superseded_at is null
      and not exists (select from trials t where t.subscription_id = s.id)
      -- A refused second trial is ended before it grants a free audiobook.
      and (s.ended_at is null or exists (select from credits c where c.subscription_id = s.id))
    order by s.id limit ${AT_MOST}`,
  )

export interface RunningMonth extends Mismatch {
  readonly plan: number
  readonly granted: number
}

/** The free audiobooks granted for the current month of each paid membership. */
export async function selectRunningMonths(db: Db, of: Asked): Promise<RunningMonth[]> {
  const { rows } = await db.execute<RunningMonth>(sql`
    select s.user_id as "userId", s.id, '' as about, s.plan, (
      select count(*)::int from credits c where c.subscription_id = s.id and c.usable_from = (
        select max(m.usable_from) from credits m where m.subscription_id = s.id and m.usable_from <= ${at(of)}
          and m.usable_until > ${at(of)})) as granted
    from subscriptions s
    where s.user_id = ${idsOf(of)} and s.status = 'active' and s.provider_id is not null and not s.gift
      and s.withdrawn_at is null and s.suspended_at is null and s.superseded_at is null and s.ended_at is null
      and s.payment_failed_at is null
      and s.period_start < ${at(of)} - ${SETTLED_AFTER} and s.period_end > ${at(of)}
      and not exists (select from subscription_invoices i join orders o on o.id = i.order_id
        where i.subscription_id = s.id and (o.refunded_minor > 0 or o.disputed_at is not null))
    order by s.id limit ${AT_MOST}`)
  return rows
}
