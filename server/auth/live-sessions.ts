import { LRUCache } from 'lru-cache'
import { atMost } from '../lru.ts'
import { inBatches } from '../http/in-batches.ts'
import type { Shop } from '../shop.ts'
import type { Caller } from './caller.ts'
import { selectCallers } from './session-queries.ts'

/** Other instances hear of a log-out at once; should that message be lost, they ask again after this time. */
const BELIEVED_MS = 5_000
/** Whoever comes in the meantime does not wait for the answer; who comes later does. */
const BELIEVED_AT_MOST_MS = 10_000
const REMEMBERED_AT_MOST = 50_000

export const SESSION_REVOKED = 'session_revoked'

interface Known {
  readonly caller: Caller | null
  /** By the process's own clock, in milliseconds: from then on it is asked again. */
  askAgainAt: number
}

/** Knows which sessions are alive. The database is asked about each at most every few seconds. */
export class LiveSessions {
  readonly #known = new LRUCache<string, Known>({ ...atMost(REMEMBERED_AT_MOST), ttl: BELIEVED_AT_MOST_MS })
  readonly #ask: (sessionId: string) => Promise<Caller | null>
  /** Goes up with every log-out, so that an answer already on its way is not remembered. */
  #revocations = 0

  constructor({ db, now }: Pick<Shop, 'db' | 'now'>) {
    this.#ask = inBatches((ids) => selectCallers(db, ids, now()), { most: 500, waitingAtMost: 10_000 })
  }

  /** Null where the session ended or its account is gone. */
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

  /** After messages of other instances may have been missed. */
  forgetAll(): void {
    this.#revocations += 1
    this.#known.clear()
  }
}

const ofShop = new WeakMap<object, LiveSessions>()

/** The one register of a shop: the guard reads it, a log-out corrects it. */
export function liveSessionsOf(shop: Shop): LiveSessions {
  let register = ofShop.get(shop)
  if (!register) ofShop.set(shop, (register = new LiveSessions(shop)))
  return register
}
