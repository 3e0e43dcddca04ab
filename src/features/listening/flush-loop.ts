import type { FlushOutcome } from '#device/flush.ts'
import { connectivity } from '#net/connectivity.ts'

export interface FlushLoop {
  /** Something waits that did not before. */
  waiting: () => void
  /** Now, whatever the clock says: on pause, hide, log-out. */
  now: () => Promise<FlushOutcome>
  stop: () => void
}

/** DECISIONS.md, Listening: every half minute while anything waits. */
const EVERY_MS = 30_000

/** Sends what waits when the network is back, when the page is seen again, and every 30 s while anything waits. */
export function startFlushLoop(
  flush: () => Promise<FlushOutcome>,
  onOutcome: (outcome: FlushOutcome) => void = () => undefined,
): FlushLoop {
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<FlushOutcome> | undefined
  let stopped = false

  const schedule = () => {
    if (!stopped) timer ??= setTimeout(() => void now(), EVERY_MS)
  }

  const now = (): Promise<FlushOutcome> => {
    clearTimeout(timer)
    timer = undefined
    running ??= flush()
      .catch((): FlushOutcome => 'later')
      .then((outcome) => {
        if (outcome === 'later') schedule()
        onOutcome(outcome)
        return outcome
      })
      .finally(() => (running = undefined))
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
    stop() {
      stopped = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
      unfollow()
    },
  }
}
