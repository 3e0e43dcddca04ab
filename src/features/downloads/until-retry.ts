import { FETCH_RETRY_MS } from '#contract/limits.ts'
import { connectivity } from '#net/connectivity.ts'

/** Five seconds (PLAY-10), and then as long as there is no network. An abort ends the wait. */
export async function untilRetry(signal: AbortSignal): Promise<void> {
  await pause(FETCH_RETRY_MS, signal)
  if (connectivity.snapshot() === 'online') return
  await new Promise<void>((resolve) => {
    const end = () => {
      stop()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const stop = connectivity.subscribe((state) => {
      if (state === 'online') end()
    })
    signal.addEventListener('abort', end)
    // Its outcome is handled above.
    void connectivity.check()
  })
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
