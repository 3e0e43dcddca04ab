/** All clock values that an event needs, read at the same moment. */
export interface ClockReading {
  /** This device's clock, which its owner can set. */
  wallMs: number
  /** Milliseconds since this page was loaded. In some browsers it pauses while the machine sleeps. */
  pageMs: number
  /** Id of the page load that `pageMs` belongs to. */
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
 * The age of an event, or undefined if only the device's clock could tell and it may have been changed.
 *
 * The page's clock cannot be changed but may have paused; the wall clock never pauses but can be changed. If
 * the two agree, the age is certain. If not, the wall clock is trusted only if its distance to the server's
 * clock is the same as it was then.
 */
export function secondsAgo(then: Then, now: ClockReading, offsetNowMs: number | null): number | undefined {
  const byWall = now.wallMs - then.heardAtMs
  const byPage = pageAge(then, now)
  if (byPage !== undefined && near(byWall, byPage)) return seconds(byPage)

  const steady = then.offsetMs !== null && offsetNowMs !== null && near(offsetNowMs, then.offsetMs)
  if (steady && byWall >= 0) return seconds(byWall)
  return byPage === undefined ? undefined : seconds(byPage)
}

/** True if both of this device's clocks give the same age, so that the server's clock isn't needed. */
export function clocksAgree(then: Then, now: ClockReading): boolean {
  const byPage = pageAge(then, now)
  return byPage !== undefined && near(now.wallMs - then.heardAtMs, byPage)
}

export const pageSecondsAgo = (pageMs: number): number => seconds(performance.now() - pageMs)

const pageAge = (then: Then, now: ClockReading) =>
  then.clock.page === now.page ? now.pageMs - then.clock.ms : undefined
const near = (one: number, other: number) => Math.abs(one - other) <= AGREE_MS

const seconds = (ms: number) => Math.max(0, Math.round(ms) / 1000)
