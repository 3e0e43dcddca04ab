import type { FlushOutcome } from '#sync/flush.ts'
import { connectivity } from '#net/connectivity.ts'

export interface FlushLoop {
  /** Call when a new place is pending. */
  waiting: () => void
  /** Sends without waiting for the interval: on pause, seek, hide and logout. */
  now: () => Promise<FlushOutcome>
  /** Pending places were sent another way: restart the interval. */
  sentOtherwise: () => void
  stop: () => void
}

/**
 * During playback. Lets the phone's radio sleep in between; a device that takes over requests the exact place
 * (docs/product.md, Listening). A failing server gets the next attempt after the same time.
 */
const EVERY_MS = 30_000

/**
 * Sends pending places when the network returns, when the page becomes visible, and every 30 s during
 * playback. Sends nothing if nothing is pending, however long the page stays open.
 */
export function startFlushLoop(
  flush: () => Promise<FlushOutcome>,
  onOutcome: (outcome: FlushOutcome) => void = () => undefined,
): FlushLoop {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<FlushOutcome> | undefined
  let next: Promise<FlushOutcome> | undefined
  let stopped = false

  const schedule = () => {
    if (!stopped) timer ??= setTimeout(() => void now(), EVERY_MS)
  }

  const run = (): Promise<FlushOutcome> => {
    clearTimeout(timer)
    timer = undefined
    return flush()
      .catch((): FlushOutcome => 'waiting')
      .then((outcome) => {
        if (outcome === 'waiting') schedule()
        // After `stop` the outcome belongs to a closed page or another user: ignore it.
        if (!stopped) onOutcome(outcome)
        return outcome
      })
  }

  /** A call during a run may be too late for it, so exactly one more run follows. */
  const now = (): Promise<FlushOutcome> => {
    if (running) {
      next ??= running.then(() => {
        next = undefined
        return now()
      })
      return next
    }
    running = run().finally(() => (running = undefined))
    return running
  }

  const onVisible = () => {
    if (document.visibilityState === 'visible') void now()
  }
  document.addEventListener('visibilitychange', onVisible)
  const unfollow = connectivity.subscribe((state) => {
    if (state === 'online') void now()
  })
  void now()

  return {
    waiting: schedule,
    now,
    sentOtherwise() {
      if (!timer) return
      clearTimeout(timer)
      timer = undefined
      schedule()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
      unfollow()
    },
  }
}
