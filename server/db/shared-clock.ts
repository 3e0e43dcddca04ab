import { sql } from 'drizzle-orm'
import { MINUTE_MS } from '#contract/durations.ts'
import type { Log } from '../log/log.ts'
import type { Db } from './open.ts'

/** Of a difference that is smaller nothing is made: as much goes by on the way. */
const NOTICED_MS = 250
/** An answer that took longer says little about the time. */
const LATE_MS = 1_000

interface Clocks {
  /** The database's time, in ms since 1970. */
  readonly ask: () => Promise<number>
  /** This machine's, which may step. */
  readonly wall: () => number
  /** Milliseconds that went by; it never steps, and stands while the machine sleeps. */
  readonly passed: () => number
}

/**
 * What time it is, by the database: what the machines of a shop have in common. A machine whose clock is an hour off, or steps,
 * would refuse what another one signed, and end sessions that another one renewed. Between two looks it counts on by itself.
 */
export class SharedClock {
  readonly #clocks: Clocks
  /** The time at which this process would have begun to count. */
  #began: number
  #isKnown = false
  /** How far the machine's clock was from it when it was looked at last. */
  #wallAhead = 0
  #looking: Promise<void> | undefined
  #lookAgainAt = 0

  constructor(clocks: Clocks) {
    this.#clocks = clocks
    this.#began = clocks.wall() - clocks.passed()
  }

  readonly now = (): Date => {
    const { wall, passed } = this.#clocks
    const there = this.#began + passed()
    // The machine's clock has stepped, or it slept: either way nobody knows how long.
    const hasStepped = Math.abs(wall() - there - this.#wallAhead) > LATE_MS
    if (hasStepped && passed() >= this.#lookAgainAt) void this.look().catch(() => undefined)
    return new Date(there)
  }

  /** Asks the database. Where it does not answer, time goes on as it did. */
  look(): Promise<void> {
    this.#looking ??= this.#look().finally(() => (this.#looking = undefined))
    return this.#looking
  }

  async #look(): Promise<void> {
    const { ask, wall, passed } = this.#clocks
    const before = passed()
    this.#lookAgainAt = before + LATE_MS
    const there = await ask()
    const tookMs = passed() - before
    if (this.#isKnown && tookMs > LATE_MS) return
    const began = there - (before + tookMs / 2)
    if (!this.#isKnown || Math.abs(began - this.#began) > NOTICED_MS) this.#began = began
    this.#isKnown = true
    this.#wallAhead = wall() - (this.#began + passed())
  }
}

/** Looked at once before anything else is done, and then every minute until the server ends. */
export async function followSharedClock(db: Db, log: Log, ending: AbortSignal): Promise<SharedClock> {
  const ask = async () => {
    const { rows } = await db.execute<{ ms: string }>(
      sql`select extract(epoch from clock_timestamp()) * 1000 as ms`,
    )
    return Number(rows[0]!.ms)
  }
  const clock = new SharedClock({ ask, wall: () => Date.now(), passed: () => performance.now() })
  await clock.look()
  const again = setInterval(() => {
    clock
      .look()
      .catch((error: unknown) => log.warn({ err: error }, 'the database was not asked for the time'))
  }, MINUTE_MS)
  again.unref()
  ending.addEventListener('abort', () => clearInterval(again))
  return clock
}
