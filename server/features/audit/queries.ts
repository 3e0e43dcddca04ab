import { and, asc, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { auditedAccounts, auditedOrders, auditFindings } from '../../db/schema/audit.ts'
import { type Finding, idsOf, type Subjects } from './finding.ts'

/**
 * Accounts to audit: those with an open finding first, then those that changed since their last audit, then those
 * not audited since `stale` (a deleted row leaves no timestamp). The oldest audit comes first.
 */
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

/** Paged by id. */
export async function selectAccounts(db: Db, after: string | null, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select id from users where outlet_id is null ${after === null ? sql`` : sql`and id > ${after}::uuid`}
    order by id limit ${limit}::int`)
  return rows.map(({ id }) => id)
}

/**
 * Orders without an account to audit, by the same rules. Also orders with a finding that have an account by now, so
 * that the finding is removed.
 */
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

/** Paged by id. */
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

/** Replaces the findings of these accounts or orders. A repeated finding keeps the time of its first occurrence. */
export async function storeFindings(
  db: Db,
  { subjects, findings, now }: { subjects: Subjects; findings: readonly Finding[]; now: Date },
): Promise<void> {
  const isOfAccounts = 'userIds' in subjects
  const ids = idsOf(subjects)
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

/** Newest first. */
export async function selectOrdersOf(db: Db, userId: string, now: Date, limit: number) {
  const { rows } = await db.execute<AuditedOrder>(sql`
    ${ordersWithPayment(now)} where o.user_id = ${userId}::uuid and p.intent_id is not null
    order by o.created_at desc limit ${limit}::int`)
  return rows
}

export async function selectOrderWithoutAccount(
  db: Db,
  id: string,
  now: Date,
): Promise<AuditedOrder | undefined> {
  const { rows } = await db.execute<AuditedOrder>(sql`
    ${ordersWithPayment(now)} where o.id = ${id}::uuid and o.user_id is null and p.intent_id is not null`)
  return rows[0]
}

const ordersWithPayment = (now: Date) => sql`
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
