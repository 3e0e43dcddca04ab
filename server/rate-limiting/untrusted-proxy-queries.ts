import { asc, gte, inArray, lt } from 'drizzle-orm'
import type { Db } from '../db/open.ts'
import { untrustedProxies } from '../db/schema/jobs.ts'

const AT_MOST = 20

export async function storeUntrustedProxy(
  db: Db,
  { address, header, now }: { address: string; header: string; now: Date },
): Promise<void> {
  await db
    .insert(untrustedProxies)
    .values({ address, header, firstSeenAt: now, seenAt: now })
    .onConflictDoUpdate({ target: untrustedProxies.address, set: { header, seenAt: now } })
}

export const selectUntrustedProxies = (db: Db, since: Date) =>
  db
    .select()
    .from(untrustedProxies)
    .where(gte(untrustedProxies.seenAt, since))
    .orderBy(asc(untrustedProxies.firstSeenAt))
    .limit(AT_MOST)

export async function deleteUntrustedProxies(db: Db, addresses: readonly string[]): Promise<void> {
  if (addresses.length > 0)
    await db.delete(untrustedProxies).where(inArray(untrustedProxies.address, [...addresses]))
}

/** A job: deletes proxies that have not sent requests since `before`. */
export async function deleteOldUntrustedProxies(db: Db, before: Date): Promise<void> {
  await db.delete(untrustedProxies).where(lt(untrustedProxies.seenAt, before))
}
