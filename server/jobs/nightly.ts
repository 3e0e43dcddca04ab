import type { Shop } from '../shop.ts'
import { cleanUp } from './clean-up.ts'

const DAY_MS = 24 * 3_600_000
/** Seventeen past three: not when everybody else's jobs begin. */
const AT_MS = (3 * 60 + 17) * 60_000

/**
 * Runs the jobs of the night until it is told to stop; one that fails is tried again the next night. Stopping waits
 * for the run that is under way.
 */
export function everyNight(shop: Pick<Shop, 'db' | 'database' | 'now' | 'log'>): () => Promise<void> {
  let timer: NodeJS.Timeout
  let running: Promise<void> | undefined
  let isStopped = false
  const run = () => {
    running = cleanUp(shop)
      .catch((error: unknown) => shop.log.error({ err: error }, 'the clean-up of the night failed'))
      .finally(() => !isStopped && wait())
  }
  const wait = () => {
    timer = setTimeout(run, untilNextRunMs(shop.now()))
    timer.unref()
  }
  wait()
  return async () => {
    isStopped = true
    clearTimeout(timer)
    await running
  }
}

/** Always later than now, so that a run which ends early is not followed by another. */
export function untilNextRunMs(now: Date): number {
  const sinceMidnight = now.getTime() % DAY_MS
  return sinceMidnight < AT_MS ? AT_MS - sinceMidnight : AT_MS + DAY_MS - sinceMidnight
}
