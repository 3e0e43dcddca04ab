import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log/log.ts'

/** By signal: a supervisor waits for running requests, a person who presses Ctrl-C does not. */
const LAST_ANSWERS_MS = { SIGTERM: 30_000, SIGINT: 5_000, SIGHUP: 5_000 } as const
/** A client's time between connecting and sending, on a busy machine. */
const LAST_WORDS_MS = 1_000
/** Closing a terminal or signalling a process group delivers it twice. */
const SAME_SIGNAL_MS = 500
/** How long jobs and the database have after that. */
const OVER_MS = 5_000
/** Plus `noticeSeconds`; a supervisor must wait longer, or it kills work that is nearly done. */
export const LONGEST_END_MS = LAST_ANSWERS_MS.SIGTERM + OVER_MS

interface Ending {
  readonly app: FastifyInstance
  /** For a proxy on this machine (proxy-socket.ts). */
  readonly sockets: Server | undefined
  readonly log: Log
  readonly ending: AbortController
  /** After SIGTERM, while the readiness check fails. */
  readonly noticeSeconds: number
  readonly stopJobs: () => Promise<void>
  readonly closeDatabase: () => Promise<void>
}

/** On a signal: not ready, nothing new, running requests finish. A second one exits at once. */
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

/** Waits for requests on connections just opened. */
async function closeToNew(servers: readonly (Server | undefined)[]): Promise<void> {
  for (const server of servers) if (server) Server.prototype.close.call(server)
  await pause(LAST_WORDS_MS)
}

const emptied = async (sockets: Server | undefined): Promise<void> =>
  sockets && new Promise((resolve) => void sockets.close(() => resolve()))
