import { sql } from 'drizzle-orm'
import { MINUTE_MS } from '#contract/durations.ts'
import type { RealTime } from '../clock.ts'
import type { Log } from '../log/log.ts'
import type { Db } from './open.ts'
import { businessClock } from './schema/jobs.ts'

const NOTICED_MS = 250
const LATE_MS = 1_000

interface Clocks {
  /** The database's time, in milliseconds since 1970. */
  readonly ask: () => Promise<number>
  /** This machine's wall clock, which may step. */
  readonly wall: () => number
  /** A monotonic clock in milliseconds, which never steps and stops while the machine sleeps. */
  readonly passed: () => number
}

/** All machines share the database's time: one whose own clock is off would refuse signatures of others. */
export class SharedClock {
  readonly #clocks: Clocks
  /** The database's time at which the monotonic clock was 0. */
  #began: number
  #isKnown = false
  /** How far the wall clock was ahead at the last query, in milliseconds. */
  #wallAhead = 0
  #looking: Promise<void> | undefined
  #lookAgainAt = 0

  constructor(clocks: Clocks) {
    this.#clocks = clocks
    this.#began = clocks.wall() - clocks.passed()
  }

  readonly now = (): RealTime => {
    const { wall, passed } = this.#clocks
    const there = this.#began + passed()
    // The wall clock stepped, or the machine slept for an unknown time.
    const hasStepped = Math.abs(wall() - there - this.#wallAhead) > LATE_MS
    if (hasStepped && passed() >= this.#lookAgainAt) void this.look().catch(() => undefined)
    return new Date(there)
  }

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

/** Queries the time once before anything else starts, and then every minute until the server ends. */
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

/** How far a demo's business clock is ahead, in milliseconds; 0 in every other shop. */
export async function selectClockOffset(db: Db): Promise<number> {
  const [row] = await db.select().from(businessClock)
  return row?.aheadMs ?? 0
}
