import { LRUCache } from 'lru-cache'
import { reaches } from '#contract/plans.ts'
import { isUnavailable } from '../../db/errors.ts'
import { atMost } from '../../lru.ts'
import { type LiveSessions, liveSessionsOf } from '../../auth/live-sessions.ts'
import type { Shop } from '../../shop.ts'
import { entitlementOf } from '../membership/service.ts'
import { selectSoundClaims } from './queries.ts'
import type { AddressHolder } from './signed-addresses.ts'

/** So playback ends within a minute after a refund or a log-out, on every instance, without messages. */
const VALID_MS = 30_000
/** A few chapters each of a few thousand listeners. */
const MOST_KEPT = 20_000

interface Grant {
  readonly askedAtMs: number
  readonly isHeld: Promise<boolean>
}

/**
 * A signature is valid for hours; a refund, a dispute, a deleted account or a log-out ends access earlier. Cached,
 * so that not every range request needs a query.
 */
export class Grants {
  readonly #shop: Pick<Shop, 'db' | 'now' | 'clock'>
  readonly #sessions: LiveSessions
  readonly #kept = new LRUCache<string, Grant>(atMost(MOST_KEPT))

  constructor(shop: Shop) {
    this.#shop = shop
    this.#sessions = liveSessionsOf(shop)
  }

  async holds(holder: AddressHolder, sha256: string): Promise<boolean> {
    const nowMs = this.#shop.now().getTime()
    const key = `${holder.sessionId} ${sha256}`
    const known = this.#kept.get(key)
    if (known && nowMs - known.askedAtMs < VALID_MS) return known.isHeld
    const isHeld = this.#ask(holder, sha256).catch((error: unknown) => {
      // While the database is unavailable, keep serving listeners who had access.
      if (known && isUnavailable(error)) return known.isHeld
      this.#kept.delete(key)
      throw error
    })
    this.#kept.set(key, { askedAtMs: nowMs, isHeld })
    return isHeld
  }

  async #ask({ userId, sessionId }: AddressHolder, sha256: string): Promise<boolean> {
    if (!(await this.#sessions.find(sessionId))) return false
    const { db, clock } = this.#shop
    const { owned, free, tiers } = await selectSoundClaims(db, userId, sha256)
    if (owned || free) return true
    if (tiers.length === 0) return false
    const { tier } = await entitlementOf(db, userId, clock.now())
    return tier !== null && tiers.some((least) => reaches(tier, least ?? 'supporter'))
  }
}
