import { DAY_MS } from '#contract/durations.ts'
/** Seventeen past three, when nobody else's jobs start. */
const AT_MS = (3 * 60 + 17) * 60_000

/** When the night's work began last. */
export const lastNight = (now: Date): Date => new Date(now.getTime() + untilNightMs(now) - DAY_MS)

/** Always later than now, so that a run which ends early is not followed by another. */
export function untilNightMs(now: Date): number {
  const sinceMidnight = now.getTime() % DAY_MS
  return sinceMidnight < AT_MS ? AT_MS - sinceMidnight : AT_MS + DAY_MS - sinceMidnight
}
