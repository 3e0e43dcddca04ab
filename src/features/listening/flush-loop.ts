import type { FlushOutcome } from '#sync/flush.ts'
import { connectivity } from '#net/connectivity.ts'

export interface FlushLoop {
  /** Something waits that did not before. */
  waiting: () => void
  /** Sends now, without waiting for the interval: on pause, seek, hide, log-out. */
  now: () => Promise<FlushOutcome>
  /** Waiting places were sent another way: restart the interval. */
  sentOtherwise: () => void
  stop: () => void
}

/**
 * While something plays. Lets the radio sleep in between; a device that takes over asks for the exact place
 * (docs/product.md, Listening).
 */
const EVERY_MS = 30_000
/** A failing server is asked again this often; a network that comes back is noticed anyway. */
const AGAIN_MS = 30_000

/**
 * Sends what waits when the network is back, when the page is seen again, and every 30 s while something new is
 * heard. If nothing waits nothing is sent, however long the page stays open.
 */
export function startFlushLoop(
  flush: () => Promise<FlushOutcome>,
  onOutcome: (outcome: FlushOutcome) => void = () => undefined,
): FlushLoop {
  let timer: ReturnType<typeof setTimeout> | undefined
  let failed = false
  let running: Promise<FlushOutcome> | undefined
  let next: Promise<FlushOutcome> | undefined
  let stopped = false

  const schedule = () => {
    if (!stopped) timer ??= setTimeout(() => void now(), failed ? AGAIN_MS : EVERY_MS)
  }

  const run = (): Promise<FlushOutcome> => {
    clearTimeout(timer)
    timer = undefined
    return flush()
      .catch((): FlushOutcome => 'waiting')
      .then((outcome) => {
        failed = outcome === 'waiting'
        if (failed) schedule()
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
