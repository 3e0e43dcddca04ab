import { Server } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Log } from '../log/log.ts'

/**
 * What is under way has so long to be taken, by the signal that ends the server: a supervisor waits, whoever presses Ctrl-C does
 * not. A listener may leave an answer half read for as long as a pause lasts; a download goes on where it was cut.
 */
const LAST_ANSWERS_MS = { SIGTERM: 30_000, SIGINT: 5_000, SIGHUP: 5_000 } as const
/** From connecting to asking, on a busy machine. */
const LAST_WORDS_MS = 1_000
/** Closing a terminal or signalling a process group delivers the signal twice; count it once. */
const SAME_SIGNAL_MS = 500
/** After that jobs and the database have so long. */
const OVER_MS = 5_000
/** A supervisor that does not wait so long, and as long as visitors are given notice, kills what is nearly done. */
export const LONGEST_END_MS = LAST_ANSWERS_MS.SIGTERM + OVER_MS

interface Ending {
  readonly app: FastifyInstance
  /** For the proxy on this machine, if it has one (proxy-socket.ts). */
  readonly sockets: Server | undefined
  readonly log: Log
  readonly ending: AbortController
  /** The server goes on answering for so long after SIGTERM while it says that it is not ready, so that a proxy notices. */
  readonly noticeSeconds: number
  readonly stopJobs: () => Promise<void>
  readonly closeDatabase: () => Promise<void>
}

/** Ends the server when it is told to: not ready, nothing new, and what is under way comes to its end. A second signal does not wait. */
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
      // HTTP's own `close` also cuts off who has connected and not yet asked, and a proxy does not ask another server for what it may have sent.
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
  // `npm start` has closed the IPC channel: it ended, or was told to end (tools/start.ts).
  const endWithStart = () => {
    if (!ending.signal.aborted) endBy('SIGTERM')
  }
  process.on('disconnect', endWithStart)
  if (process.send && !process.connected) endWithStart()
}

/** Takes nobody new, and hears whoever came in at the last moment. */
async function closeToNew(servers: readonly (Server | undefined)[]): Promise<void> {
  for (const server of servers) if (server) Server.prototype.close.call(server)
  await pause(LAST_WORDS_MS)
}

const emptied = async (sockets: Server | undefined): Promise<void> =>
  sockets && new Promise((resolve) => void sockets.close(() => resolve()))
