import { DAY_MS } from '#contract/durations.ts'
/** 03:17 UTC, when few other systems start their jobs. */
const AT_MS = (3 * 60 + 17) * 60_000

export const lastNight = (now: Date): Date => new Date(now.getTime() + untilNightMs(now) - DAY_MS)

/** Always in the future, so that a run which ends early does not start again in the same night. */
export function untilNightMs(now: Date): number {
  const sinceMidnight = now.getTime() % DAY_MS
  return sinceMidnight < AT_MS ? AT_MS - sinceMidnight : AT_MS + DAY_MS - sinceMidnight
}
