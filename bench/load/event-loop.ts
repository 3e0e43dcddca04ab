import { monitorEventLoopDelay } from 'node:perf_hooks'

/**
 * Preloaded into the measured server. On request it reports the longest delay of the event loop to the parent process.
 */
const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

process.on('message', (message: unknown) => {
  if (message !== 'longest wait') return
  process.send?.({ longestWaitMs: delay.max / 1e6 - RESOLUTION_MS })
  delay.reset()
})
process.channel?.unref()
