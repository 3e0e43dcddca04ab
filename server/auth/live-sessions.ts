import { LRUCache } from 'lru-cache'
import { atMost } from '../lru.ts'
import { inBatches } from '../http/in-batches.ts'
import type { Shop } from '../shop.ts'
import type { Caller } from './access.ts'
import { selectCallers } from './session-queries.ts'

/**
 * Other instances receive a message at each log-out. In case it is lost, a session is looked up again after this time.
 */
const BELIEVED_MS = 5_000
/** Until then the old answer is returned while the lookup runs; later, the request waits for it. */
const BELIEVED_AT_MOST_MS = 10_000
const REMEMBERED_AT_MOST = 50_000

export const SESSION_REVOKED = 'session_revoked'

interface Known {
  readonly caller: Caller | null
  /** When to look the session up again, in terms of `performance.now()`. */
  askAgainAt: number
}

export class LiveSessions {
  readonly #known = new LRUCache<string, Known>({ ...atMost(REMEMBERED_AT_MOST), ttl: BELIEVED_AT_MOST_MS })
  readonly #ask: (sessionId: string) => Promise<Caller | null>
  /** Incremented by every log-out, so that the result of a query already running is not cached. */
  #revocations = 0

  constructor({ db, now }: Pick<Shop, 'db' | 'now'>) {
    this.#ask = inBatches((ids) => selectCallers(db, ids, now()), { most: 500, waitingAtMost: 10_000 })
  }

  /** Null if the session ended or its account was deleted. */
  async find(sessionId: string): Promise<Caller | null> {
    const known = this.#known.get(sessionId)
    if (!known) return this.#look(sessionId)
    if (performance.now() >= known.askAgainAt) {
      known.askAgainAt = Infinity
      void this.#look(sessionId).catch(() => this.#known.delete(sessionId))
    }
    return known.caller
  }

  async #look(sessionId: string): Promise<Caller | null> {
    const revocations = this.#revocations
    const caller = await this.#ask(sessionId)
    if (revocations === this.#revocations)
      this.#known.set(sessionId, { caller, askAgainAt: performance.now() + BELIEVED_MS })
    return caller
  }

  forget(sessionId: string): void {
    this.#revocations += 1
    this.#known.delete(sessionId)
  }

  /** Called when messages of other instances may have been lost. */
  forgetAll(): void {
    this.#revocations += 1
    this.#known.clear()
  }
}

const ofShop = new WeakMap<object, LiveSessions>()

export function liveSessionsOf(shop: Shop): LiveSessions {
  let register = ofShop.get(shop)
  if (!register) ofShop.set(shop, (register = new LiveSessions(shop)))
  return register
}
