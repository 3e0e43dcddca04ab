import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT } from '../tools/server-command.ts'

export interface RunningServer {
  readonly port: number
  readonly processId: number
  /** The longest delay of the event loop since the last call. */
  readonly longestWaitMs: () => Promise<number>
  readonly stop: () => Promise<void>
}

/** Starts the real server with the arguments of `npm start`. Resolves when it answers. */
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

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
