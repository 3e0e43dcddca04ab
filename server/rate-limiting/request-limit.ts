import type { RealTime } from '../clock.ts'
import { isLoopback } from '../settings/demo-mode.ts'
import type { Config } from '../settings/config.ts'
import { tooMany } from '../http/http-errors.ts'
import { SITE_FACTOR, siteOf } from './rate-limit.ts'

interface Pace {
  readonly most: number
  readonly windowSeconds: number
}

/** More than ever visit at once. Beyond it the oldest are dropped, so that addresses cannot fill the memory. */
const MOST_KNOWN = 50_000

/**
 * Counts calls in memory, for calls so cheap that a database row would cost more. Each instance counts separately, so
 * several of them let a little more through.
 */
export class RequestBrake {
  readonly #pace: Pace
  readonly #windows = new Map<string, { hits: number; endsAtMs: number }>()

  constructor(pace: Pace) {
    this.#pace = pace
  }

  /**
   * Counts one call.
   *
   * @throws 429 if that is one too many
   */
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
