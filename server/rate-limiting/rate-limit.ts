import { createHash } from 'node:crypto'
import type { RealTime } from '../clock.ts'
import type { Db } from '../db/open.ts'
import { tooMany } from '../http/http-errors.ts'
import { addHit, deleteHits, refundHit, selectHits, type Tally } from './queries.ts'
import { isLoopback } from '../settings/demo-mode.ts'
import type { Config } from '../settings/config.ts'

/** Counted in the database, so that neither a restart nor a second instance resets the count. */
export interface Limit {
  readonly name: string
  readonly most: number
  readonly windowSeconds: number
  /** If set, each hit beyond `most` restarts the window and doubles the wait, from this up to the window. */
  readonly firstWaitSeconds?: number
}

export type LimitOf = readonly [limit: Limit, who: string]
export type Tallies = ReadonlyMap<string, Tally>

/** Hashed, so that the table contains no email or IP addresses. */
export const limitKey = (limit: Limit, who: string): string =>
  `${limit.name} ${createHash('sha256').update(who).digest('base64url')}`

export const selectTallies = (db: Db, limits: readonly LimitOf[]): Promise<Tallies> =>
  selectHits(
    db,
    limits.flatMap(withSite).map(([limit, who]) => limitKey(limit, who)),
  )

/** @throws 429 if one of the limits is used up */
export function refuseOverLimit(limits: readonly LimitOf[], tallies: Tallies, now: RealTime): void {
  const over = firstOverLimit(limits, tallies, now)
  if (over) throw tooMany(over.waitSeconds)
}

export function firstOverLimit(
  limits: readonly LimitOf[],
  tallies: Tallies,
  now: RealTime,
): { readonly limit: Limit; readonly waitSeconds: number } | undefined {
  for (const [limit, who] of limits.flatMap(withSite)) {
    const tally = tallies.get(limitKey(limit, who))
    const wait = tally ? waitSeconds(limit, tally, now) : 0
    if (wait > 0) return { limit, waitSeconds: wait }
  }
  return undefined
}

export async function countHit(db: Db, limit: Limit, who: string, now: RealTime): Promise<Tally> {
  const [own, site] = withSite([limit, who])
  if (site) await countOne(db, site, now)
  return countOne(db, own!, now)
}

/** @throws 429 if it exceeds the limit */
export async function countOrRefuse(db: Db, limit: Limit, who: string, now: RealTime): Promise<void> {
  // Count the network before its site, so that a network over its own limit does not use up its neighbours' share.
  for (const each of withSite([limit, who])) {
    const { hits, windowEndsAt } = await countOne(db, each, now)
    if (hits > each[0].most) throw tooMany(secondsUntil(windowEndsAt, now))
  }
}

const countOne = (db: Db, [limit, who]: LimitOf, now: RealTime): Promise<Tally> =>
  addHit(db, {
    key: limitKey(limit, who),
    now,
    windowEndsAt: new Date(now.getTime() + limit.windowSeconds * 1000),
    restarts: limit.firstWaitSeconds !== undefined,
  })

/** Counted first, taken back if it was no guess. Beyond the limit a correct guess is refused like a wrong one. */
export async function limitedLookup<T>(
  db: Db,
  { limit, who, now }: { limit: Limit; who: string; now: RealTime },
  look: () => Promise<T>,
  isGuess: (found: T) => boolean,
): Promise<T> {
  await countOrRefuse(db, limit, who, now)
  const found = await look()
  if (!isGuess(found))
    for (const [each, by] of withSite([limit, who])) await refundHit(db, limitKey(each, by))
  return found
}

export const forgetHits = (db: Db, limit: Limit, who: string): Promise<void> =>
  deleteHits(db, limitKey(limit, who))

export function waitSeconds(limit: Limit, { hits, windowEndsAt }: Tally, now: RealTime): number {
  const left = secondsUntil(windowEndsAt, now)
  if (left <= 0 || hits < limit.most) return 0
  if (limit.firstWaitSeconds === undefined) return left
  const wait = Math.min(limit.windowSeconds, limit.firstWaitSeconds * 2 ** (hits - limit.most))
  const sinceLastHit = limit.windowSeconds - left
  return Math.max(0, wait - sinceLastHit)
}

const secondsUntil = (instant: Date, now: RealTime) => (instant.getTime() - now.getTime()) / 1000

/** One IPv6 network has practically unlimited addresses, so its first 64 bits represent all of them. */
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

/** IPv6 limits also count per /48, times this: one hosting customer has a /48, but so has a whole university. */
const SITE_FACTOR = 8

export function siteOf(who: string): string | undefined {
  const [, site] = /^([0-9a-f]{1,4}(?::[0-9a-f]{1,4}){2}):[0-9a-f]{1,4}::\/64$/.exec(who) ?? []
  return site && `${site}::/48`
}

function withSite([limit, who]: LimitOf): LimitOf[] {
  const site = siteOf(who)
  return site === undefined
    ? [[limit, who]]
    : [
        [limit, who],
        [{ ...limit, name: `${limit.name} site`, most: limit.most * SITE_FACTOR }, site],
      ]
}

interface Pace {
  readonly most: number
  readonly windowSeconds: number
}

/** More than ever visit at once. Beyond it the oldest are dropped, so that addresses cannot fill the memory. */
const MOST_KNOWN = 50_000

/** For calls too cheap for a database row. Each instance counts separately. */
export class RequestBrake {
  readonly #pace: Pace
  readonly #windows = new Map<string, { hits: number; endsAtMs: number }>()

  constructor(pace: Pace) {
    this.#pace = pace
  }

  /** @throws 429 if that is one too many */
  count(who: string, now: RealTime): void {
    this.#countFor(who, this.#pace.most, now)
    const site = siteOf(who)
    if (site !== undefined) this.#countFor(site, this.#pace.most * SITE_FACTOR, now)
  }

  #countFor(who: string, most: number, now: RealTime): void {
    const nowMs = now.getTime()
    const known = this.#windows.get(who)
    const window =
      known && known.endsAtMs > nowMs ? known : { hits: 0, endsAtMs: nowMs + this.#pace.windowSeconds * 1000 }
    window.hits += 1
    // Deleted and set again, so that the map's first entry is always the oldest window.
    if (window !== known) this.#windows.delete(who)
    this.#windows.set(who, window)
    for (const oldest of this.#windows.keys()) {
      if (this.#windows.size <= MOST_KNOWN) break
      this.#windows.delete(oldest)
    }
    if (window.hits > most) throw tooMany((window.endsAtMs - nowMs) / 1000)
  }
}

/** The demo on this machine: browser tests and benchmarks all come from one address. */
export const isExempt = ({ demo }: Pick<Config, 'demo'>, address: string): boolean =>
  demo && isLoopback(address.replace(/^::ffff:/i, ''))
