import { desc, eq, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { orders, payments } from '../../db/schema/orders.ts'
import type { OrderRow } from './queries.ts'

export interface FoundOrder {
  readonly order: OrderRow
  readonly titles: string
}

const titles = sql<string>`(select string_agg(l.title, ', ' order by l.position) from order_lines l where l.order_id = ${orders.id})`

/**
 * Searches by order number, a part of the buyer's name or address, of a title or of a gift's address, the id of the
 * provider's payment, or the card's last four digits. Newest first.
 */
export const selectFoundOrders = (db: Db, words: string, limit: number): Promise<FoundOrder[]> => {
  const part = `%${words.toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
  return db
    .select({ order: orders, titles })
    .from(orders)
    .innerJoin(payments, eq(payments.orderId, orders.id))
    .where(
      or(
        eq(orders.number, words.toUpperCase()),
        sql`lower(${orders.buyerEmail}) like ${part}`,
        sql`lower(${orders.buyerName}) like ${part}`,
        eq(payments.intentId, words),
        eq(payments.last4, words),
        sql`exists (select from order_lines l where l.order_id = ${orders.id}
          and (lower(l.title) like ${part} or lower(l.gift_email) like ${part}))`,
      ),
    )
    .orderBy(desc(orders.createdAt), orders.id)
    .limit(limit)
}

export async function selectOrderNumbered(db: Db, number: string): Promise<OrderRow | undefined> {
  const [row] = await db.select().from(orders).where(eq(orders.number, number))
  return row
}
