import { TimedCache } from '../caches.ts'
import { inBatches } from '../http/in-batches.ts'
import type { Shop } from '../shop.ts'
import type { Caller } from './access.ts'
import { selectCallers } from './session-queries.ts'

/** Other instances receive a message at each log-out; if it is lost, the session lasts this much longer. */
const BELIEVED_MS = 5_000
/** Until then the old answer is returned while the lookup runs; later, the request waits for it. */
const BELIEVED_AT_MOST_MS = 10_000
const REMEMBERED_AT_MOST = 50_000

export const SESSION_REVOKED = 'session_revoked'

export class LiveSessions {
  readonly #callers = new TimedCache<Caller | null>({
    most: REMEMBERED_AT_MOST,
    freshMs: BELIEVED_MS,
    staleMs: BELIEVED_AT_MOST_MS - BELIEVED_MS,
  })
  readonly #ask: (sessionId: string) => Promise<Caller | null>

  constructor({ db, now }: Pick<Shop, 'db' | 'now'>) {
    this.#ask = inBatches((ids) => selectCallers(db, ids, now()), { most: 500, waitingAtMost: 10_000 })
  }

  find(sessionId: string): Promise<Caller | null> {
    return this.#callers.of(sessionId, () => this.#ask(sessionId))
  }

  forget(sessionId: string): void {
    this.#callers.forget(sessionId)
  }

  forgetAll(): void {
    this.#callers.forgetAll()
  }
}

export const liveSessionsOf = (shop: Shop): LiveSessions =>
  shop.caches.get(LiveSessions, () => new LiveSessions(shop))
