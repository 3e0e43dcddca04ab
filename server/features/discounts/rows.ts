import { and, count, eq } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { discounts, discountUses } from '../../db/schema/discounts.ts'

export type DiscountRow = typeof discounts.$inferSelect

export async function selectDiscount(db: Db, code: string): Promise<DiscountRow | undefined> {
  const [row] = await db.select().from(discounts).where(eq(discounts.code, code))
  return row
}

export async function countUses(db: Db, code: string, userId: string): Promise<number> {
  const [row] = await db
    .select({ uses: count() })
    .from(discountUses)
    .where(and(eq(discountUses.code, code), eq(discountUses.userId, userId)))
  return row?.uses ?? 0
}

/** One for each order, however often it is settled. */
export async function insertUse(
  db: Db,
  use: { code: string; userId: string | null; orderId: string; usedAt: Date },
): Promise<void> {
  await db.insert(discountUses).values(use).onConflictDoNothing({ target: discountUses.orderId })
}
