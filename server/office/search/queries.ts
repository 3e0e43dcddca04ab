import { eq } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { orderLines, orders } from '../../db/schema/orders.ts'

export async function selectOrderNumberOfLine(db: Db, lineId: string): Promise<string | null> {
  const [row] = await db
    .select({ number: orders.number })
    .from(orderLines)
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .where(eq(orderLines.id, lineId))
  return row?.number ?? null
}
