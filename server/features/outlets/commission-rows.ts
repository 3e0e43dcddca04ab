import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

/**
 * The commission of an order for the bookshop whose reader its buyer is: of titles that came into the buyer's own
 * library, by what was paid for them without VAT, rounded half up.
 */
export async function insertCommission(
  tx: Db,
  { orderId, userId, now }: { orderId: string; userId: string; now: Date },
): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`
  await tx.execute(sql`
    insert into outlet_lines (outlet_id, kind, at, order_line_id, of_minor, percent, amount_minor)
    select o.id, 'commission', ${at}, l.id, l.price_minor - l.vat_minor, o.commission_percent,
      -((2 * (l.price_minor - l.vat_minor) * o.commission_percent + 100) / 200)
    from outlet_readers r
      join outlets o on o.id = r.outlet_id and o.closed_at is null
      join order_lines l on l.order_id = ${orderId}::uuid and l.entry_id is not null and not l.gift and l.price_minor > 0
    where r.user_id = ${userId}::uuid and r.since <= ${at} and r.until > ${at}
    for share of o
    on conflict do nothing`)
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

/** A line that no statement says yet did not happen; else a line of its own says that it is undone. */
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
