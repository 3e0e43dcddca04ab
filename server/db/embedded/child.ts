import { existsSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { createDatabase, openEngine, shortenLog } from './engine.ts'
import { takeLock } from './lock.ts'
import type { Order, Report } from './messages.ts'
import { Multiplexer } from './multiplexer.ts'
import { removeRunFile, writeRunFile } from './run-file.ts'
import { firstValue, query } from './wire.ts'

const LOOK_AT_LOG_MS = 10_000

type Start = Extract<Order, { kind: 'start' }>

let stop = async (): Promise<void> => process.exit(0)

// Ctrl-C reaches the whole group; the server still needs its database to end cleanly.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
process.on('disconnect', () => void stop())
process.on('message', (order: Order) => {
  if (order.kind === 'ping') report({ kind: 'pong' })
  else if (order.kind === 'stop') void stop()
  else
    void serve(order).catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)))
})

async function serve(order: Start): Promise<void> {
  const release = await takeLock(join(order.dataDir, 'lock.db'), order.patienceMs)
  if (!release) {
    report({ kind: 'in-use' })
    process.disconnect()
    return
  }
  const folder = join(order.dataDir, 'db')
  if (!existsSync(folder)) {
    await createDatabase(folder)
    release()
    report({ kind: 'created' })
    process.disconnect()
    return
  }
  const engine = await openEngine(folder, fail)
  const multiplexer = new Multiplexer(engine, {
    secret: order.password,
    serverVersion: firstValue(engine.run([query('SHOW server_version')])) ?? '',
    processId: process.pid,
    idleInTransactionMs: order.idleInTransactionMs,
    onFatal: fail,
  })
  const server = await listen(multiplexer, order)
  const checkpoints = setInterval(() => multiplexer.whenFree(shortenLog), LOOK_AT_LOG_MS)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : order.port
  writeRunFile(order.dataDir, { host: order.host, port, password: order.password, processId: process.pid })

  stop = async () => {
    stop = async () => {}
    clearInterval(checkpoints)
    removeRunFile(order.dataDir)
    server.close()
    multiplexer.close()
    await engine.close()
    if (order.socketFolder) rmSync(order.socketFolder, { recursive: true, force: true })
    release()
    process.exit(0)
  }
  // The parent may have died while the database opened.
  if (process.connected) report({ kind: 'ready', port })
  else await stop()
}

function listen(multiplexer: Multiplexer, { socketFolder, host, port }: Start): Promise<Server> {
  const server = createServer({ noDelay: true }, (socket) => {
    const client = multiplexer.connect({
      send: (bytes) => void (socket.writable && socket.write(bytes)),
      close: () => socket.destroySoon(),
    })
    socket.on('data', (bytes) => client.receive(bytes))
    socket.on('close', () => client.leave())
    // A client that vanished; 'close' follows.
    socket.on('error', () => {})
  })
  const at = socketFolder ? { path: join(socketFolder, `.s.PGSQL.${port}`) } : { host, port }
  // A killed predecessor leaves its socket behind.
  if (at.path) rmSync(at.path, { force: true })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, () => resolve(server))
  })
}

function report(message: Report): void {
  if (process.connected) process.send?.(message)
}

/** The parent starts a new one; everything acknowledged is on the disk. */
function fail(reason: string): never {
  process.stderr.write(`${reason}\n`)
  process.exit(1)
}
