/** Every reading of time an event needs, taken together. */
export interface ClockReading {
  /** This device's clock, which its owner can set. */
  wallMs: number
  /** Milliseconds of this page's life. Stands still in some browsers while the machine sleeps. */
  pageMs: number
  /** Names the page's life that `pageMs` belongs to. */
  page: string
}

const page = `${Math.round(performance.timeOrigin)}-${Math.random().toString(36).slice(2)}`

export const readClock = (): ClockReading => ({ wallMs: Date.now(), pageMs: performance.now(), page })

interface Then {
  heardAtMs: number
  clock: { page: string; ms: number }
  offsetMs: number | null
}

/** Network delay and a clock's own drift stay below this; a set clock and a night's sleep do not. */
const AGREE_MS = 60_000

/**
 * The age of something heard, or undefined where only the device's clock can tell and it may have been set.
 *
 * The page's clock cannot be set but may have slept; the wall clock never sleeps but can be set. If the two agree
 * there is no doubt. If they do not, the wall clock is believed only if its distance to the server's clock is the
 * same as it was then.
 */
export function secondsAgo(then: Then, now: ClockReading, offsetNowMs: number | null): number | undefined {
  const byWall = now.wallMs - then.heardAtMs
  const byPage = pageAge(then, now)
  if (byPage !== undefined && near(byWall, byPage)) return seconds(byPage)

  const steady = then.offsetMs !== null && offsetNowMs !== null && near(offsetNowMs, then.offsetMs)
  if (steady && byWall >= 0) return seconds(byWall)
  return byPage === undefined ? undefined : seconds(byPage)
}

/** True where both of this device's clocks tell the same age, so that the server's need not be asked. */
export function clocksAgree(then: Then, now: ClockReading): boolean {
  const byPage = pageAge(then, now)
  return byPage !== undefined && near(now.wallMs - then.heardAtMs, byPage)
}

/** The time since `pageMs` of this page's life. */
export const pageSecondsAgo = (pageMs: number): number => seconds(performance.now() - pageMs)

const pageAge = (then: Then, now: ClockReading) =>
  then.clock.page === now.page ? now.pageMs - then.clock.ms : undefined
const near = (one: number, other: number) => Math.abs(one - other) <= AGREE_MS

const seconds = (ms: number) => Math.max(0, Math.round(ms) / 1000)
