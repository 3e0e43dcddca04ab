import { eq, inArray, lt, sql, asc, gte } from 'drizzle-orm'
import type { RealTime } from '../clock.ts'
import type { Db } from '../db/open.ts'
import { rateLimits } from '../db/schema/accounts.ts'
import { untrustedProxies } from '../db/schema/jobs.ts'

export interface Tally {
  readonly hits: number
  readonly windowEndsAt: Date
}

export async function selectHits(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, Tally>> {
  const rows = await db
    .select()
    .from(rateLimits)
    .where(inArray(rateLimits.key, [...keys]))
  return new Map(rows.map((row) => [row.key, row]))
}

interface Hit {
  readonly key: string
  readonly now: RealTime
  readonly windowEndsAt: Date
  /** Each hit restarts the window, not only the first one after its end. */
  readonly restarts: boolean
}

export async function addHit(db: Db, { key, now, windowEndsAt, restarts }: Hit): Promise<Tally> {
  const over = sql`${rateLimits.windowEndsAt} <= ${now.toISOString()}::timestamptz`
  const begins = restarts ? sql`true` : over
  const [row] = await db
    .insert(rateLimits)
    .values({ key, hits: 1, windowEndsAt })
    .onConflictDoUpdate({
      target: rateLimits.key,
      set: {
        hits: sql`case when ${over} then 1 else ${rateLimits.hits} + 1 end`,
        windowEndsAt: sql`case when ${begins} then excluded.window_ends_at else ${rateLimits.windowEndsAt} end`,
      },
    })
    .returning({ hits: rateLimits.hits, windowEndsAt: rateLimits.windowEndsAt })
  return row!
}

export async function refundHit(db: Db, key: string): Promise<void> {
  await db
    .update(rateLimits)
    .set({ hits: sql`greatest(${rateLimits.hits} - 1, 0)` })
    .where(eq(rateLimits.key, key))
}

export async function deleteHits(db: Db, key: string): Promise<void> {
  await db.delete(rateLimits).where(eq(rateLimits.key, key))
}

export async function deleteOldLimits(db: Db, now: RealTime): Promise<void> {
  await db.delete(rateLimits).where(lt(rateLimits.windowEndsAt, now))
}

const AT_MOST = 20

export async function storeUntrustedProxy(
  db: Db,
  { address, header, now }: { address: string; header: string; now: RealTime },
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

export async function deleteOldUntrustedProxies(db: Db, before: Date): Promise<void> {
  await db.delete(untrustedProxies).where(lt(untrustedProxies.seenAt, before))
}
