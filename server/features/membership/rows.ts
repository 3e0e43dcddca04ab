import { and, count, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { credits, subscriptions } from '../../db/schema/membership.ts'

export type SubscriptionRow = typeof subscriptions.$inferSelect

/** Newest first; a gift that nobody claimed belongs to no account and is not among them. */
export const selectSubscriptions = (db: Db, userId: string): Promise<SubscriptionRow[]> =>
  db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.userId, userId))
    .orderBy(desc(subscriptions.orderedAt))
    .limit(1000)

export async function countUsableCredits(db: Db, userId: string, now: Date): Promise<number> {
  const [row] = await db
    .select({ usable: count() })
    .from(credits)
    .where(and(eq(credits.userId, userId), isNull(credits.spentAt), gt(credits.usableUntil, now)))
  return row?.usable ?? 0
}

/** Those of the accounts that have a usable credit. */
export async function selectCreditHolders(
  db: Db,
  userIds: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await db
    .selectDistinct({ userId: credits.userId })
    .from(credits)
    .where(
      and(
        // One parameter however many accounts, so that the statement stays the same.
        sql`${credits.userId} = any(${sql.param([...new Set(userIds)])}::uuid[])`,
        isNull(credits.spentAt),
        gt(credits.usableUntil, now),
      ),
    )
  return new Set(rows.map(({ userId }) => userId))
}

export async function insertSubscription(db: Db, row: typeof subscriptions.$inferInsert): Promise<string> {
  const [inserted] = await db.insert(subscriptions).values(row).returning({ id: subscriptions.id })
  if (!inserted) throw new Error('The subscription was not stored')
  return inserted.id
}

export async function insertCredits(db: Db, rows: readonly (typeof credits.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await db.insert(credits).values([...rows])
}

/** Paid gift memberships of an account; one that was refunded does not count. */
export async function countPaidForOthers(db: Db, userId: string): Promise<number> {
  const { rows } = await db.execute<{ paid: number }>(sql`
    select count(*)::int as paid from order_lines l join orders o on o.id = l.order_id
    where o.user_id = ${userId}::uuid and o.state = 'paid' and l.plan is not null and l.gift and l.refunded_at is null`)
  return rows[0]?.paid ?? 0
}

/** Spends the credit that ends first; false where none is usable. Never the same one twice. */
export async function spendOneCredit(db: Db, userId: string, bookId: number, now: Date): Promise<boolean> {
  const { rows } = await db.execute(sql`
    update credits set spent_at = ${now.toISOString()}::timestamptz, book_id = ${bookId}
    where id = (select id from credits where user_id = ${userId}::uuid and spent_at is null
        and usable_until > ${now.toISOString()}::timestamptz
      order by usable_until, id limit 1 for update skip locked)
      and spent_at is null
    returning id`)
  return rows.length > 0
}
