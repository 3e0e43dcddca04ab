import { lstatSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'

/** Its path can be switched to another server without losing a request (tools/serving.ts); a port cannot. */
export function proxySocket({ server }: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true }, (socket) => {
    // Only this machine can reach a Unix socket, which has no addresses.
    Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' })
    server.emit('connection', socket)
  })
}

/** An existing socket was left by a killed server: the path belongs to this one alone. */
export async function listenAtSocket(sockets: Server, path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path)
  sockets.listen({ path, readableAll: true, writableAll: true })
  await once(sockets, 'listening')
}
