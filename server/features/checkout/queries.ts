import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { users } from '../../db/schema/accounts.ts'

export async function isEmailOf(db: Db, userId: string, email: string): Promise<boolean> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), sql`lower(${users.email}) = ${email.toLowerCase()}`))
  return row !== undefined
}
