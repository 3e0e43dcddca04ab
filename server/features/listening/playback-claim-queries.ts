import { and, eq, lte, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { soundClaims } from '../../db/schema/listening.ts'

/** `startedAt` is server time. */
export interface Claim {
  readonly claimId: string
  readonly deviceId: string
  readonly slug: string
  readonly chapter: number
  readonly seconds: number
  readonly startedAt: Date
}

/** False if the claim is already stored, or another one started later. */
export async function storeClaim(db: Db, userId: string, claim: Claim): Promise<boolean> {
  const kept = await db
    .insert(soundClaims)
    .values({ userId, ...claim })
    .onConflictDoUpdate({
      target: soundClaims.userId,
      set: claim,
      setWhere: sql`${ne(soundClaims.claimId, claim.claimId)} and ${lte(soundClaims.startedAt, claim.startedAt)}`,
    })
    .returning({ claimId: soundClaims.claimId })
  return kept.length > 0
}

export async function selectClaim(db: Db, userId: string): Promise<Claim | undefined> {
  const [row] = await db.select(CLAIM).from(soundClaims).where(eq(soundClaims.userId, userId))
  return row
}

/** False if another device has taken over the claim. */
export async function deleteClaim(db: Db, userId: string, claimId: string): Promise<boolean> {
  const gone = await db
    .delete(soundClaims)
    .where(and(eq(soundClaims.userId, userId), eq(soundClaims.claimId, claimId)))
    .returning({ claimId: soundClaims.claimId })
  return gone.length > 0
}

const CLAIM = {
  claimId: soundClaims.claimId,
  deviceId: soundClaims.deviceId,
  slug: soundClaims.slug,
  chapter: soundClaims.chapter,
  seconds: soundClaims.seconds,
  startedAt: soundClaims.startedAt,
}
