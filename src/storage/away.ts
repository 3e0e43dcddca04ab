import { DAY_MS } from '#contract/durations.ts'
import { readClock, type ClockReading } from './clock.ts'
import { readValue, writeValue } from './values.ts'

/** Ignore longer gaps: they come from a clock that was set wrong by years, not from an unused device. */
const LONGEST_MS = 366 * DAY_MS

export const noteContact = (now: ClockReading = readClock()): Promise<void> =>
  writeValue('away', { elapsedMs: 0, ...now })

/**
 * Milliseconds since the server last answered, added up from call to call. Setting the clock back subtracts nothing: the
 * page's monotonic clock keeps counting. A device that has never counted starts at 0.
 */
export async function countAway(now: ClockReading = readClock()): Promise<number> {
  const before = await readValue('away')
  if (!before) {
    await noteContact(now)
    return 0
  }
  const wallMs = now.wallMs - before.wallMs
  const plausibleMs = wallMs < LONGEST_MS ? wallMs : 0
  const pageMs = now.page === before.page ? now.pageMs - before.pageMs : 0
  const elapsedMs = before.elapsedMs + Math.max(plausibleMs, pageMs)
  await writeValue('away', { elapsedMs, ...now })
  return elapsedMs
}
