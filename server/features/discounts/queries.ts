import { and, asc, count, eq, isNotNull, sql } from 'drizzle-orm'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { books } from '../../db/schema/catalogue.ts'
import { discounts, discountUses } from '../../db/schema/discounts.ts'

export type DiscountRow = typeof discounts.$inferSelect

export async function selectDiscount(db: Db, code: string): Promise<DiscountRow | undefined> {
  const [row] = await db.select().from(discounts).where(eq(discounts.code, code))
  return row
}

export const selectDiscounts = (db: Db): Promise<DiscountRow[]> =>
  db.select().from(discounts).orderBy(asc(discounts.code)).limit(10_000)

export async function insertCodes(db: Db, codes: readonly DiscountRow[]): Promise<string[]> {
  const made = await db
    .insert(discounts)
    .values([...codes])
    .onConflictDoNothing({ target: discounts.code })
    .returning({ code: discounts.code })
  return made.map(({ code }) => code)
}

export async function selectTitleIds(db: Db, slug: string): Promise<number[]> {
  const rows = await db.select({ id: books.id }).from(books).where(eq(books.slug, slug))
  return rows.map(({ id }) => id)
}

export async function updateStopped(db: Db, code: string, stoppedAt: BusinessTime | null): Promise<void> {
  await db.update(discounts).set({ stoppedAt }).where(eq(discounts.code, code))
}

export async function countUses(db: Db, code: string, userId: string): Promise<number> {
  const [row] = await db
    .select({ uses: count() })
    .from(discountUses)
    .where(and(eq(discountUses.code, code), eq(discountUses.userId, userId)))
  return row?.uses ?? 0
}

export async function lockUses(tx: Db, code: string): Promise<number | undefined> {
  const [row] = await tx
    .select({ uses: discounts.uses })
    .from(discounts)
    .where(and(eq(discounts.code, code), isNotNull(discounts.uses)))
    .for('update')
  return row?.uses ?? undefined
}

/** Without the use that `source` has reserved. A membership counts once, although it renews. */
export async function countTaken(
  db: Db,
  code: string,
  { source, now }: { readonly source: string | null; readonly now: BusinessTime },
): Promise<number> {
  const { rows } = await db.execute<{ taken: number }>(sql`
    select (select count(*) from orders o
        where o.coupon_code = ${code}
          and not exists (select from subscription_invoices i where i.order_id = o.id)
          and case o.state
            when 'paid' then ${isKept}
            when 'awaiting_payment' then o.coupon_reserved_until > ${now.toISOString()}::timestamptz
              and o.source_id is distinct from ${source}::uuid
            else false end)::int
      + (select count(*) from subscriptions s
        where s.coupon_code = ${code}
          and case s.status
            when 'incomplete_expired' then false
            when 'incomplete' then s.coupon_reserved_until > ${now.toISOString()}::timestamptz
              and s.user_id is distinct from ${source}::uuid
            else coalesce((select bool_or(${isKept}) from subscription_invoices i join orders o on o.id = i.order_id
              where i.subscription_id = s.id and o.coupon_code = s.coupon_code), true) end)::int as taken`)
  return rows[0]!.taken
}

const isKept = sql`case when o.total_minor = 0
  then exists (select from order_lines l where l.order_id = o.id and l.refunded_at is null)
  else o.refunded_minor < o.total_minor end`

/** One use per order, even if it is settled again. */
export async function insertUse(
  db: Db,
  use: { code: string; userId: string | null; orderId: string; usedAt: BusinessTime },
): Promise<void> {
  await db.insert(discountUses).values(use).onConflictDoNothing({ target: discountUses.orderId })
}

export async function deleteUse(db: Db, orderId: string): Promise<void> {
  await db.delete(discountUses).where(eq(discountUses.orderId, orderId))
}
