import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { outletLines } from '../../db/schema/outlets.ts'

export interface EarningLine {
  readonly outletId: string
  readonly orderLineId: string
  /** Net of VAT, in pence. */
  readonly netMinor: number
  readonly percent: number
}

/** Locks the bookshop, so that it cannot be closed and its terms cannot change meanwhile. */
export async function selectEarningLines(
  tx: Db,
  { orderId, userId, now }: { orderId: string; userId: string; now: Date },
): Promise<EarningLine[]> {
  const at = sql`${now.toISOString()}::timestamptz`
  const { rows } = await tx.execute<{ outlet: string; line: string; net: number; percent: number }>(sql`
    select o.id as outlet, l.id as line, l.price_minor - l.vat_minor as net, o.commission_percent as percent
    from outlet_readers r
      join outlets o on o.id = r.outlet_id and o.closed_at is null
      join order_lines l on l.order_id = ${orderId}::uuid and l.entry_id is not null and not l.gift and l.price_minor > 0
    where r.user_id = ${userId}::uuid and r.since <= ${at} and r.until > ${at}
    for share of o`)
  return rows.map(({ outlet, line, net, percent }) => ({
    outletId: outlet,
    orderLineId: line,
    netMinor: net,
    percent,
  }))
}

export async function insertCommission(
  tx: Db,
  lines: readonly (EarningLine & { readonly amountMinor: number })[],
  now: Date,
): Promise<void> {
  if (lines.length === 0) return
  await tx
    .insert(outletLines)
    .values(
      lines.map(({ outletId, orderLineId, netMinor, percent, amountMinor }) => ({
        ...{ outletId, orderLineId, percent, amountMinor, at: now },
        ...{ kind: 'commission' as const, ofMinor: netMinor },
      })),
    )
    .onConflictDoNothing()
}

export async function insertCommissionBack(
  tx: Db,
  { orderLineIds, now }: { orderLineIds: readonly string[]; now: Date },
): Promise<void> {
  if (orderLineIds.length === 0) return
  await tx.execute(sql`
    insert into outlet_lines (outlet_id, kind, at, order_line_id, of_minor, percent, amount_minor)
    select c.outlet_id, 'commission_taken_back', ${now.toISOString()}::timestamptz, c.order_line_id, -c.of_minor, c.percent,
      -c.amount_minor
    from outlet_lines c join outlets o on o.id = c.outlet_id and o.closed_at is null
    where c.kind = 'commission' and c.order_line_id = any(${sql.param([...orderLineIds])}::uuid[])
    on conflict do nothing`)
}

/** Deletes lines of `insertCommissionBack` that are in no statement yet, and adds correcting lines for the others. */
export async function insertCommissionAgain(
  tx: Db,
  { orderLineIds, now }: { orderLineIds: readonly string[]; now: Date },
): Promise<void> {
  if (orderLineIds.length === 0) return
  const ids = sql`${sql.param([...orderLineIds])}::uuid[]`
  await tx.execute(sql`
    delete from outlet_lines
    where kind = 'commission_taken_back' and statement_id is null and order_line_id = any(${ids})`)
  await tx.execute(sql`
    insert into outlet_lines (outlet_id, kind, at, order_line_id, of_minor, percent, amount_minor)
    select c.outlet_id, 'commission_given_back', ${now.toISOString()}::timestamptz, c.order_line_id, -c.of_minor, c.percent,
      -c.amount_minor
    from outlet_lines c join outlets o on o.id = c.outlet_id and o.closed_at is null
    where c.kind = 'commission_taken_back' and c.order_line_id = any(${ids})
    on conflict do nothing`)
}
