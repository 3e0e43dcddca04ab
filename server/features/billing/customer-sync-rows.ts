import { and, asc, eq, gt, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'
import { customers } from '../../db/schema/membership.ts'

const NAME = sql<string>`trim(${users.firstName} || ' ' || ${users.lastName})`

/** Those who are called something else than the provider knows. */
export const selectUnsynced = (db: Db, limit: number, after: string | null) =>
  db
    .select({
      userId: customers.userId,
      customerId: customers.customerId,
      email: users.email,
      name: NAME,
    })
    .from(customers)
    .innerJoin(users, eq(users.id, customers.userId))
    .where(
      and(
        sql`(${customers.syncedEmail}, ${customers.toldName}) is distinct from (${users.email}, ${NAME})`,
        after === null ? undefined : gt(customers.userId, after),
      ),
    )
    .orderBy(asc(customers.userId))
    .limit(limit)

export async function noteSynced(
  db: Db,
  userId: string,
  told: { readonly syncedEmail: string; readonly toldName: string },
): Promise<void> {
  await db.update(customers).set(told).where(eq(customers.userId, userId))
}
