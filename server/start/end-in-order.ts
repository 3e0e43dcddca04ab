import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log/log.ts'

/** Time for running requests: a supervisor waits, a person who presses Ctrl-C does not. */
const LAST_ANSWERS_MS = { SIGTERM: 30_000, SIGINT: 5_000, SIGHUP: 5_000 } as const
/** Time between connecting and sending a request, on a busy machine. */
const LAST_WORDS_MS = 1_000
/** Closing a terminal or signalling a process group delivers the signal twice; count it once. */
const SAME_SIGNAL_MS = 500
/** Then jobs and the database have this long. */
const OVER_MS = 5_000
/** A supervisor must wait this long plus `noticeSeconds`, or it kills work that is nearly done. */
export const LONGEST_END_MS = LAST_ANSWERS_MS.SIGTERM + OVER_MS

interface Ending {
  readonly app: FastifyInstance
  readonly sockets: Server | undefined
  readonly log: Log
  readonly ending: AbortController
  readonly noticeSeconds: number
  readonly stopJobs: () => Promise<void>
  readonly closeDatabase: () => Promise<void>
}

/** On a signal: becomes not ready, accepts nothing new, finishes running requests. A second signal exits at once. */
export function endInOrder({
  app,
  sockets,
  log,
  ending,
  noticeSeconds,
  stopJobs,
  closeDatabase,
}: Ending): void {
  const end = async (signal: keyof typeof LAST_ANSWERS_MS) => {
    ending.abort()
    if (signal === 'SIGTERM') await pause(noticeSeconds * 1_000)
    const lastMs = LAST_ANSWERS_MS[signal]
    const cut = setTimeout(() => app.server.closeAllConnections(), lastMs)
    setTimeout(() => process.exit(1), lastMs + OVER_MS).unref()
    const close = async () => {
      // `close` also cuts off clients that have not sent a request yet, and a proxy does not retry elsewhere.
      if (signal === 'SIGTERM') await closeToNew([app.server, sockets])
      await Promise.all([app.close(), emptied(sockets)])
    }
    await Promise.all([stopJobs(), close()])
    clearTimeout(cut)
    await closeDatabase()
  }
  let endedAt = Infinity
  const endBy = (signal: keyof typeof LAST_ANSWERS_MS) => {
    endedAt = performance.now()
    end(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the server could not close in order')
        process.exit(1)
      },
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (!ending.signal.aborted) endBy(signal)
      else if (performance.now() - endedAt > SAME_SIGNAL_MS) process.exit(1)
    })
  // `npm start` closed the IPC channel: it ended, or was told to end (tools/start.ts).
  const endWithStart = () => {
    if (!ending.signal.aborted) endBy('SIGTERM')
  }
  process.on('disconnect', endWithStart)
  if (process.send && !process.connected) endWithStart()
}

/** Accepts no new connections, and waits for requests on those just opened. */
async function closeToNew(servers: readonly (Server | undefined)[]): Promise<void> {
  for (const server of servers) if (server) Server.prototype.close.call(server)
  await pause(LAST_WORDS_MS)
}

const emptied = async (sockets: Server | undefined): Promise<void> =>
  sockets && new Promise((resolve) => void sockets.close(() => resolve()))
