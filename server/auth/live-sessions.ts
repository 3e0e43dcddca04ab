import { TimedCache } from '../caches.ts'
import { inBatches } from '../http/in-batches.ts'
import type { Shop } from '../shop.ts'
import type { Caller } from './access.ts'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { RealTime } from '../clock.ts'
import type { Db } from '../db/open.ts'
import { sessions, users } from '../db/schema/accounts.ts'

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

/** In the order of `ids`; null if the session ended or its account was deleted or blocked. */
async function selectCallers(db: Db, ids: readonly string[], now: RealTime): Promise<(Caller | null)[]> {
  const rows = await db
    .select({
      sessionId: sessions.id,
      userId: users.id,
      countryCode: users.countryCode,
      outletId: users.outletId,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(
      and(
        // A single array parameter, so that the statement text is the same for any number of sessions.
        sql`${sessions.id} = any(${sql.param([...new Set(ids)])}::uuid[])`,
        isNull(sessions.revokedAt),
        isNull(users.blockedAt),
        gt(sessions.expiresAt, now),
      ),
    )
  const alive = new Map(rows.map((row) => [row.sessionId, row]))
  return ids.map((id) => alive.get(id) ?? null)
}
