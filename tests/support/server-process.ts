import { spawn, type ChildProcess } from 'node:child_process'
import { createServer } from 'node:net'
import { once } from 'node:events'

export interface RunningServer {
  readonly url: string
  readonly port: number
  readonly dataDir: string
  readonly pid: number
  /** Everything it printed so far. */
  output(): string
  /** SIGTERM, and wait. */
  stop(): Promise<void>
  /** SIGKILL, as a power cut or an impatient owner would, and wait. */
  kill(): Promise<void>
}

/** A port nobody uses at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (!address || typeof address === 'string') throw new Error('no port')
  return address.port
}

/** The real server as its owner starts it, in a process of its own; resolves when it answers. */
export async function startServer(options: {
  dataDir: string
  port?: number
  env?: Record<string, string>
}): Promise<RunningServer> {
  const port = options.port ?? (await freePort())
  const child = spawn(process.execPath, ['server/main.ts'], {
    env: {
      ...process.env,
      NODE_ENV: '',
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: options.dataDir,
      DATABASE_URL: '',
      ...options.env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let printed = ''
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  await readiness(child, () => printed)
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    dataDir: options.dataDir,
    pid: child.pid!,
    output: () => printed,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

function readiness(child: ChildProcess, printed: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('message', (message) => message === 'ready' && resolve())
    child.on('exit', (code) => reject(new Error(`The server ended with ${code}:\n${printed()}`)))
    child.on('error', reject)
  })
}
