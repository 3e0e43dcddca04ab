import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type { Client } from 'pg'
import type { Db } from '../db/open.ts'
import { restorations } from '../db/schema/jobs.ts'
import { pauseWaitingMail } from '../integrations/mail/queries.ts'

/** Mail waits for the owner's release, and jobs first ask the provider for all changes (`jobs/catch-up.ts`). */
export async function markRestored(client: Client, backupMadeAt: string): Promise<void> {
  const db = drizzle(client)
  await db.insert(restorations).values({ backupMadeAt: new Date(backupMadeAt) })
  await pauseWaitingMail(db, [])
  await db.execute(sql`update subscriptions set checked_at = null`)
  await db.execute(sql`delete from jobs`)
}

export async function selectStoredFiles(db: Db): Promise<{ path: string; bytes: number }[]> {
  const { rows } = await db.execute<{ path: string; bytes: number }>(
    sql`select left(sha256, 2) || '/' || sha256 || '.' || extension as path, bytes from media_files`,
  )
  return rows
}

export async function countThings(db: Db): Promise<{ titles: number; accounts: number; orders: number }> {
  const { rows } = await db.execute<{ titles: number; accounts: number; orders: number }>(sql`
    select (select count(*)::int from books) as titles, (select count(*)::int from users) as accounts,
      (select count(*)::int from orders) as orders`)
  return rows[0]!
}
