import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Loaded into the measured server before it begins: tells its parent the longest wait of its event loop when asked. */
const RESOLUTION_MS = 5
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delay.enable()

process.on('message', (message: unknown) => {
  if (message !== 'longest wait') return
  process.send?.({ longestWaitMs: delay.max / 1e6 - RESOLUTION_MS })
  delay.reset()
})
process.channel?.unref()
