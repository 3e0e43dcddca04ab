import { sql } from 'drizzle-orm'
import type { Db } from './db/open.ts'

interface Standing extends Record<string, unknown> {
  readonly hasTitles: boolean
  /** Accounts under the demo's own domain: everybody knows their password. */
  readonly hasDemoAccounts: boolean
}

/** What is in a shop that opens; `.example` belongs to nobody, so no customer has such an address. */
export async function selectStanding(db: Db): Promise<Standing> {
  const { rows } = await db.execute<Standing>(sql`
    select exists (select 1 from books) as "hasTitles",
      exists (select 1 from users where email like '%@murmur.example') as "hasDemoAccounts"`)
  return rows[0]!
}
