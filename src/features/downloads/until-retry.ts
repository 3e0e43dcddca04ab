import { FETCH_RETRY_MS } from '#contract/limits.ts'
import { connectivity } from '#net/connectivity.ts'

/** Five seconds (PLAY-10), and then as long as there is no network. An abort ends the wait. */
export async function untilRetry(signal: AbortSignal): Promise<void> {
  await pause(FETCH_RETRY_MS, signal)
  if (connectivity.snapshot() === 'online') return
  await new Promise<void>((resolve) => {
    const done = () => {
      stop()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const stop = connectivity.subscribe((state) => {
      if (state === 'online') done()
    })
    signal.addEventListener('abort', done)
    void connectivity.check().then((state) => {
      if (state === 'online') done()
    })
  })
}

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
