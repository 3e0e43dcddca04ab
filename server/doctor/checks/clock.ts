import { MINUTE_MS, SECOND_MS } from '#contract/durations.ts'
import { broken, type Check, fine } from '../finding.ts'
import { selectTimes } from '../queries.ts'

/** Signatures and sessions tolerate this much. */
const WRONG_MS = MINUTE_MS

export const checkClock: Check = async ({ db, now, config }) => {
  const here = now().getTime()
  const { there, newestOrder } = await selectTimes(db)
  const apart = Math.abs(here - there.getTime())
  if (apart > WRONG_MS)
    return broken(
      `This machine and its database are ${Math.round(apart / SECOND_MS)} seconds apart. Let both set their clocks by NTP.`,
    )
  // A demo's business time may be ahead.
  if (!config.demo && newestOrder !== null && newestOrder.getTime() - here > WRONG_MS)
    return broken('This machine’s clock is behind its newest order. Let it set its clock by NTP.')
  return fine('The clocks agree.')
}
