import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT } from '../tools/server-command.ts'

export interface RunningServer {
  readonly port: number
  readonly processId: number
  /** The longest that anything waited for its event loop since this was last asked. */
  readonly longestWaitMs: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** The real server, begun as `npm start` begins it; resolves when it answers. */
export async function startServer(env: Readonly<Record<string, string>>): Promise<RunningServer> {
  const port = await freePort()
  const child = spawn(process.execPath, ['--import', './bench/load/event-loop.ts', ...SERVER_ARGUMENTS], {
    env: { ...process.env, ...SERVER_ENVIRONMENT, HOST: '127.0.0.1', PORT: String(port), ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  await Promise.race([
    once(child, 'message'),
    ended.then(() => {
      throw new Error('The server did not start')
    }),
  ])
  return {
    port,
    processId: child.pid!,
    longestWaitMs: async () => {
      child.send('longest wait')
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the other side sends
      const [{ longestWaitMs }] = (await once(child, 'message')) as [{ longestWaitMs: number }]
      return longestWaitMs
    },
    stop: async () => {
      child.kill()
      await ended
    },
  }
}

/** A port nobody uses at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
