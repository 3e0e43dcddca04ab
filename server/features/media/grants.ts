import { LRUCache } from 'lru-cache'
import { reaches } from '#contract/plans.ts'
import { isUnavailable } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { standingOf } from '../membership/rules.ts'
import { selectSoundClaims } from './rows.ts'

/** A refund ends sound within a minute, on every instance and without a message between them. */
const HOLDS_MS = 30_000
/** A listener has a few chapters open; this is a few thousand listeners. */
const MOST_KEPT = 20_000

interface Grant {
  readonly askedAtMs: number
  readonly isHeld: Promise<boolean>
}

/**
 * Whether somebody may still hear what a signed address of theirs names: a signature lives for hours, a refund, a
 * dispute or a deleted account ends it sooner. Asked once in half a minute, not for every range of a file.
 */
export class Grants {
  readonly #shop: Pick<Shop, 'db' | 'now' | 'clock'>
  readonly #kept = new LRUCache<string, Grant>({ max: MOST_KEPT })

  constructor(shop: Pick<Shop, 'db' | 'now' | 'clock'>) {
    this.#shop = shop
  }

  async holds(userId: string, sha256: string): Promise<boolean> {
    const nowMs = this.#shop.now().getTime()
    const key = `${userId} ${sha256}`
    const known = this.#kept.get(key)
    if (known && nowMs - known.askedAtMs < HOLDS_MS) return known.isHeld
    const isHeld = this.#ask(userId, sha256).catch((error: unknown) => {
      // While the database is away, sound that was playing keeps playing.
      if (known && isUnavailable(error)) return known.isHeld
      this.#kept.delete(key)
      throw error
    })
    this.#kept.set(key, { askedAtMs: nowMs, isHeld })
    return isHeld
  }

  async #ask(userId: string, sha256: string): Promise<boolean> {
    const { db, clock } = this.#shop
    const { owned, free, tiers } = await selectSoundClaims(db, userId, sha256)
    if (owned || free) return true
    if (tiers.length === 0) return false
    const { tier } = await standingOf(db, userId, clock.now())
    return tier !== null && tiers.some((least) => reaches(tier, least ?? 'supporter'))
  }
}
