import { createHash } from 'node:crypto'
import type { Db } from '../db/open.ts'
import { tooMany } from '../wire/refusals.ts'
import { addHit, deleteHits, selectHits, refundHit, type Tally } from './rate-limit-rows.ts'

/**
 * A limit on how often something may be tried. Counted in the database, so that neither a restart nor a second
 * instance resets the count.
 */
export interface Limit {
  /** What is limited; part of the key. */
  readonly name: string
  readonly most: number
  readonly windowSeconds: number
  /**
   * If set, each hit beyond `most` doubles the wait, from this length up to the whole window, and each hit
   * restarts the window. If not, everything beyond `most` waits until the window ends.
   */
  readonly firstWaitSeconds?: number
}

export type LimitOf = readonly [limit: Limit, who: string]
export type Tallies = ReadonlyMap<string, Tally>

/** Hashed, so that the table holds nobody's e-mail or network address. */
export const limitKey = (limit: Limit, who: string): string =>
  `${limit.name} ${createHash('sha256').update(who).digest('base64url')}`

export const selectTallies = (db: Db, limits: readonly LimitOf[]): Promise<Tallies> =>
  selectHits(
    db,
    limits.map(([limit, who]) => limitKey(limit, who)),
  )

/** Throws 429 when one of the limits is used up. */
export function refuseOverLimit(limits: readonly LimitOf[], tallies: Tallies, now: Date): void {
  for (const [limit, who] of limits) {
    const tally = tallies.get(limitKey(limit, who))
    const wait = tally ? waitSeconds(limit, tally, now) : 0
    if (wait > 0) throw tooMany(wait)
  }
}

/** Counts one more, atomically; answers what stands now. */
export const countHit = (db: Db, limit: Limit, who: string, now: Date): Promise<Tally> =>
  addHit(db, {
    key: limitKey(limit, who),
    now,
    windowEndsAt: new Date(now.getTime() + limit.windowSeconds * 1000),
    restarts: limit.firstWaitSeconds !== undefined,
  })

/** Counts one more and throws 429 when that is one too many. */
export async function countOrRefuse(db: Db, limit: Limit, who: string, now: Date): Promise<void> {
  const { hits, windowEndsAt } = await countHit(db, limit, who, now)
  if (hits > limit.most) throw tooMany(secondsUntil(windowEndsAt, now))
}

/**
 * Looks up something that can be guessed. Each try is counted first and taken back if it was no guess, so beyond the
 * limit a right guess is refused just like a wrong one, even when many are made at once.
 */
export async function limitedLookup<T>(
  db: Db,
  { limit, who, now }: { limit: Limit; who: string; now: Date },
  look: () => Promise<T>,
  isGuess: (found: T) => boolean,
): Promise<T> {
  await countOrRefuse(db, limit, who, now)
  const found = await look()
  if (!isGuess(found)) await refundHit(db, limitKey(limit, who))
  return found
}

export const forgetHits = (db: Db, limit: Limit, who: string): Promise<void> =>
  deleteHits(db, limitKey(limit, who))

/** Seconds until the next try is allowed; 0 when it is allowed now. */
export function waitSeconds(limit: Limit, { hits, windowEndsAt }: Tally, now: Date): number {
  const left = secondsUntil(windowEndsAt, now)
  if (left <= 0 || hits < limit.most) return 0
  if (limit.firstWaitSeconds === undefined) return left
  const wait = Math.min(limit.windowSeconds, limit.firstWaitSeconds * 2 ** (hits - limit.most))
  const sinceLastHit = limit.windowSeconds - left
  return Math.max(0, wait - sinceLastHit)
}

const secondsUntil = (instant: Date, now: Date) => (instant.getTime() - now.getTime()) / 1000

/** One IPv6 network has more addresses than anyone can count, so its first 64 bits stand for all of them. */
export function addressKey(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head.split(':').filter(Boolean)
  const after = (tail ?? '').split(':').filter(Boolean)
  const missing = tail === undefined ? 0 : 8 - groups.length - after.length
  const all = [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...after]
  return `${all.slice(0, 4).join(':').toLowerCase()}::/64`
}
