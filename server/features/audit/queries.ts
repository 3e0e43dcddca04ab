import type { BusinessTime, RealTime } from '../../clock.ts'
import { and, asc, inArray, sql, type SQL } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { auditedAccounts, auditedOrders, auditFindings } from '../../db/schema/audit.ts'

export interface Finding {
  /** The kind of inconsistency and the id of the row; the same in every run. */
  readonly key: string
  readonly userId: string | null
  readonly orderId: string | null
  readonly what: string
  readonly remedy: string
}

/** Orders without an account are those of guests and of deleted accounts. */
export type Subjects = { readonly userIds: readonly string[] } | { readonly orderIds: readonly string[] }

export const subjectIds = (subjects: Subjects): readonly string[] =>
  'userIds' in subjects ? subjects.userIds : subjects.orderIds

/** With an open finding first, then changed since their last audit, then not audited since `stale`. */
export async function selectDueAccounts(
  db: Db,
  { before, stale, limit }: { readonly before: Date; readonly stale: Date; readonly limit: number },
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select u.id from users u left join audited_accounts a on a.user_id = u.id
    where u.outlet_id is null and (a.audited_at is null or a.audited_at < ${before.toISOString()}::timestamptz) and (
      a.audited_at is null
      or a.audited_at < ${stale.toISOString()}::timestamptz
      or exists (select from audit_findings f where f.user_id = u.id)
      or exists (select from orders o left join payments p on p.order_id = o.id where o.user_id = u.id
        and greatest(o.created_at, o.paid_at, o.disputed_at, p.checked_at) > a.audited_at - interval '1 hour')
      or exists (select from orders o join refunds r on r.order_id = o.id where o.user_id = u.id
        and r.updated_at > a.audited_at - interval '1 hour')
      or exists (select from subscriptions s where s.user_id = u.id
        and greatest(s.ordered_at, s.checked_at, s.canceled_at, s.ended_at, s.withdrawn_at) > a.audited_at - interval '1 hour')
      or exists (select from library_entries l where l.user_id = u.id and l.added_at > a.audited_at - interval '1 hour')
      or exists (select from credits c where c.user_id = u.id
        and greatest(c.spent_at, c.revoked_at) > a.audited_at - interval '1 hour'))
    order by exists (select from audit_findings f where f.user_id = u.id) desc, a.audited_at nulls first, u.id
    limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

export async function selectAccounts(db: Db, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from users where outlet_id is null ${after === null ? sql`` : sql`and id > ${after}::uuid`}
    order by id limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

/** By the same rules, and orders with a finding that have an account by now, so that the finding is removed. */
export async function selectDueOrders(
  db: Db,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select o.id from orders o left join payments p on p.order_id = o.id left join audited_orders a on a.order_id = o.id
    where (a.audited_at is null or a.audited_at < ${before.toISOString()}::timestamptz) and (
      exists (select from audit_findings f where f.order_id = o.id)
      or o.user_id is null and (a.audited_at is null
        or greatest(o.created_at, o.paid_at, o.disputed_at, p.checked_at) > a.audited_at - interval '1 hour'
        or exists (select from refunds r where r.order_id = o.id and r.updated_at > a.audited_at - interval '1 hour')))
    order by exists (select from audit_findings f where f.order_id = o.id) desc, a.audited_at nulls first, o.id
    limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

export async function selectOrdersWithoutAccount(
  db: Db,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from orders where user_id is null ${after === null ? sql`` : sql`and id > ${after}::uuid`}
    order by id limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

/** A repeated finding keeps the time of its first occurrence. */
export async function storeFindings(
  db: Db,
  { subjects, findings, now }: { subjects: Subjects; findings: readonly Finding[]; now: RealTime },
): Promise<void> {
  const isOfAccounts = 'userIds' in subjects
  const ids = subjectIds(subjects)
  await db.transaction(async (tx) => {
    const { rows } = await tx.execute<{ id: string }>(
      sql`select id from ${isOfAccounts ? sql`users` : sql`orders`} where id = any(${sql.param([...ids])}::uuid[]) for key share`,
    )
    const alive = new Set(rows.map(({ id }) => id))
    const kept = findings.filter(({ userId, orderId }) => alive.has((userId ?? orderId)!))
    await tx
      .delete(auditFindings)
      .where(
        and(
          inArray(isOfAccounts ? auditFindings.userId : auditFindings.orderId, [...ids]),
          kept.length > 0
            ? sql`${auditFindings.key} <> all(${sql.param(kept.map(({ key }) => key))}::text[])`
            : undefined,
        ),
      )
    for (const { what, remedy, userId, orderId, key } of kept)
      await tx
        .insert(auditFindings)
        .values({ key, userId, orderId, what, remedy, foundAt: now })
        .onConflictDoUpdate({ target: auditFindings.key, set: { userId, orderId, what, remedy } })
    for (const id of alive)
      if (isOfAccounts)
        await tx
          .insert(auditedAccounts)
          .values({ userId: id, auditedAt: now })
          .onConflictDoUpdate({ target: auditedAccounts.userId, set: { auditedAt: now } })
      else
        await tx
          .insert(auditedOrders)
          .values({ orderId: id, auditedAt: now })
          .onConflictDoUpdate({ target: auditedOrders.orderId, set: { auditedAt: now } })
  })
}

export const selectFindings = (db: Db, limit: number) =>
  db.select().from(auditFindings).orderBy(asc(auditFindings.foundAt), asc(auditFindings.key)).limit(limit)

export interface AuditedOrder extends Record<string, unknown> {
  readonly id: string
  readonly number: string
  readonly state: 'awaiting_payment' | 'paid' | 'abandoned'
  readonly totalMinor: number
  readonly refundedMinor: number
  readonly disputed: boolean
  readonly intentId: string
  /** In minutes. */
  readonly age: number
}

export async function selectOrdersOf(db: Db, userId: string, now: BusinessTime, limit: number) {
  const { rows } = await db.execute<AuditedOrder>(sql`
    ${ordersWithPayment(now)} where o.user_id = ${userId}::uuid and p.intent_id is not null
    order by o.created_at desc limit ${limit}::int`)
  return rows
}

export async function selectOrderWithoutAccount(
  db: Db,
  id: string,
  now: BusinessTime,
): Promise<AuditedOrder | undefined> {
  const { rows } = await db.execute<AuditedOrder>(sql`
    ${ordersWithPayment(now)} where o.id = ${id}::uuid and o.user_id is null and p.intent_id is not null`)
  return rows[0]
}

const ordersWithPayment = (now: BusinessTime) => sql`
  select o.id, o.number, o.state, o.total_minor as "totalMinor", o.refunded_minor as "refundedMinor",
    o.disputed_at is not null as disputed, p.intent_id as "intentId",
    (extract(epoch from ${now.toISOString()}::timestamptz - o.created_at) / 60)::float8 as age
  from orders o join payments p on p.order_id = o.id`

export interface AuditedMembership extends Record<string, unknown> {
  readonly id: string
  readonly providerId: string
  readonly status: string
  readonly plan: number
  readonly superseded: boolean
  readonly contradicted: boolean
}

export async function selectMembershipsOf(db: Db, userId: string, limit: number) {
  const { rows } = await db.execute<AuditedMembership>(sql`
    select id, provider_id as "providerId", status, plan, superseded_at is not null as superseded,
      contradicted_at is not null as contradicted
    from subscriptions where user_id = ${userId}::uuid and provider_id is not null
    order by ordered_at desc limit ${limit}::int`)
  return rows
}

export interface SoldInvoice extends Record<string, unknown> {
  readonly invoiceId: string
  readonly number: string
  readonly totalMinor: number
  readonly refundedMinor: number
}

export async function selectSoldInvoices(db: Db, subscriptionId: string): Promise<SoldInvoice[]> {
  const { rows } = await db.execute<SoldInvoice>(sql`
    select i.invoice_id as "invoiceId", o.number, o.total_minor as "totalMinor", o.refunded_minor as "refundedMinor"
    from subscription_invoices i join orders o on o.id = i.order_id
    where i.subscription_id = ${subscriptionId}::uuid limit 1000`)
  return rows
}

export async function selectCustomer(db: Db, userId: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ id: string }>(
    sql`select customer_id as id from customers where user_id = ${userId}::uuid`,
  )
  return rows[0]?.id
}

/** Skip payments of the last 15 minutes: their delivery may still be in progress. */
const SETTLED_AFTER = sql`interval '15 minutes'`
const AT_MOST = 200

export interface Mismatch extends Record<string, unknown> {
  readonly userId: string | null
  readonly orderId?: string
  readonly id: string
  readonly about: string
}

const mismatchesBy = async (db: Db, query: SQL): Promise<Mismatch[]> =>
  (await db.execute<Mismatch>(query)).rows

export type AuditedAccounts = Extract<Subjects, { userIds: unknown }> & { readonly now: BusinessTime }
export type AuditedOrders = Subjects & { readonly now: BusinessTime }

const idsOf = ({ userIds }: AuditedAccounts) => sql`any(${sql.param([...userIds])}::uuid[])`
const isAudited = (of: AuditedOrders) =>
  'userIds' in of
    ? sql`o.user_id = ${idsOf(of)}`
    : sql`o.user_id is null and o.id = any(${sql.param([...of.orderIds])}::uuid[])`
const timestampSql = ({ now }: { readonly now: BusinessTime }) => sql`${now.toISOString()}::timestamptz`

export const selectUnpaidTitles = (db: Db, of: AuditedAccounts) =>
  mismatchesBy(
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

export const selectUndeliveredLines = (db: Db, of: AuditedOrders) =>
  mismatchesBy(
    db,
    sql`
    select o.user_id as "userId", o.id as "orderId", i.id, o.number as about from orders o join order_lines i on i.order_id = o.id
    where ${isAudited(of)} and o.state = 'paid' and i.refunded_at is null
      -- An open dispute removes the purchase.
      and o.disputed_at is null
      and o.paid_at < ${timestampSql(of)} - ${SETTLED_AFTER}
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

export const selectWrongSums = (db: Db, of: AuditedOrders) =>
  mismatchesBy(
    db,
    sql`
    select o.user_id as "userId", o.id as "orderId", o.id, o.number as about from orders o
    join lateral (select sum(price_minor) as price, sum(vat_minor) as vat from order_lines where order_id = o.id) i on true
    where ${isAudited(of)} and o.state = 'paid'
      and (coalesce(i.price, 0) <> o.total_minor or coalesce(i.vat, 0) <> o.vat_minor)
    order by o.id limit ${AT_MOST}`,
  )

export const selectOrdersWithoutPayment = (db: Db, of: AuditedOrders) =>
  mismatchesBy(
    db,
    sql`
    select o.user_id as "userId", o.id as "orderId", o.id, o.number as about from orders o left join payments p on p.order_id = o.id
    where ${isAudited(of)} and o.state = 'paid' and o.taken is null and o.total_minor > 0 and p.intent_id is null
      and not exists (select from subscription_invoices s where s.order_id = o.id)
    order by o.id limit ${AT_MOST}`,
  )

export const selectUnrecordedRefunds = (db: Db, of: AuditedOrders) =>
  mismatchesBy(
    db,
    sql`
    select o.user_id as "userId", o.id as "orderId", o.id, o.number as about from orders o
    where ${isAudited(of)} and o.state = 'paid' and o.refunded_minor < o.total_minor
      and o.refunded_minor < (select coalesce(sum(r.amount_minor), 0) from refunds r
        where r.order_id = o.id and r.state = 'done' and r.updated_at < ${timestampSql(of)} - ${SETTLED_AFTER})
    order by o.id limit ${AT_MOST}`,
  )

export const selectSpentForNothing = (db: Db, of: AuditedAccounts) =>
  mismatchesBy(
    db,
    sql`
    select c.user_id as "userId", c.id, b.title as about from credits c join books b on b.id = c.book_id
    where c.user_id = ${idsOf(of)} and c.spent_at is not null
      and not exists (select from library_entries l where l.user_id = c.user_id and l.book_id = c.book_id)
    order by c.id limit ${AT_MOST}`,
  )

export const selectTakenWithoutCredit = (db: Db, of: AuditedAccounts) =>
  mismatchesBy(
    db,
    sql`
    select o.user_id as "userId", i.id, i.title as about from orders o join order_lines i on i.order_id = o.id
    where o.user_id = ${idsOf(of)} and o.taken = 'credit' and o.state = 'paid' and i.refunded_at is null
      and not exists (select from credits c
        where c.user_id = o.user_id and c.book_id = i.book_id and c.spent_at is not null)
    order by i.id limit ${AT_MOST}`,
  )

export const selectUnrecordedTrials = (db: Db, of: AuditedAccounts) =>
  mismatchesBy(
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

interface RunningMonth extends Mismatch {
  readonly plan: number
  readonly granted: number
}

export async function selectRunningMonths(db: Db, of: AuditedAccounts): Promise<RunningMonth[]> {
  const { rows } = await db.execute<RunningMonth>(sql`
    select s.user_id as "userId", s.id, '' as about, s.plan, (
      select count(*)::int from credits c where c.subscription_id = s.id and c.usable_from = (
        select max(m.usable_from) from credits m where m.subscription_id = s.id and m.usable_from <= ${timestampSql(of)}
          and m.usable_until > ${timestampSql(of)})) as granted
    from subscriptions s
    where s.user_id = ${idsOf(of)} and s.status = 'active' and s.provider_id is not null and not s.gift
      and s.withdrawn_at is null and s.suspended_at is null and s.superseded_at is null and s.ended_at is null
      and s.payment_failed_at is null
      and s.period_start < ${timestampSql(of)} - ${SETTLED_AFTER} and s.period_end > ${timestampSql(of)}
      and not exists (select from subscription_invoices i join orders o on o.id = i.order_id
        where i.subscription_id = s.id and (o.refunded_minor > 0 or o.disputed_at is not null))
    order by s.id limit ${AT_MOST}`)
  return rows
}
