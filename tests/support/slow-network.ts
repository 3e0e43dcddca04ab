import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A proxy to a local server with an adjustable delay. */
export interface SlowWay {
  readonly origin: string
  /** Delays everything sent from now on, in both directions. */
  takes(delayMs: number): void
  close(): Promise<void>
}

export async function slowWayTo(origin: string): Promise<SlowWay> {
  let delayMs = 0
  const open = new Set<Socket>()
  const pass = (from: Socket, to: Socket) => {
    open.add(from)
    from.on('close', () => open.delete(from)).on('error', () => undefined)
    // Keep the order, also when the delay gets shorter.
    let last: Promise<unknown> = Promise.resolve()
    const later = (work: () => unknown) => {
      const there = delayMs > 0 ? pause(delayMs) : undefined
      last = last.then(() => there).then(work)
    }
    from.on('data', (part) => later(() => to.write(part)))
    from.on('end', () => later(() => to.end()))
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const away = connect({ port: Number(new URL(origin).port), host: '127.0.0.1', allowHalfOpen: true })
    away.on('error', () => client.destroy())
    pass(client, away)
    pass(away, client)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takes: (wished) => void (delayMs = wished),
    close: async () => {
      server.close()
      for (const socket of open) socket.destroy()
      await once(server, 'close')
    },
  }
}
