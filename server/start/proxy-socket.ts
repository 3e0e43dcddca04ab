import { lstatSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'

/**
 * For the proxy on this machine the server listens at a socket too, which has a name in the file system. A name can lead to another server
 * in one step (tools/serving.ts), after which nobody new connects here and whoever has connected is heard; a port can only be closed,
 * and a call that reaches it in that moment is lost.
 */
export function proxySocket({ server }: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true }, (socket) => {
    // Sockets have no addresses, and whoever reaches this one is on this machine.
    Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' })
    server.emit('connection', socket)
  })
}

/** The name belongs to this server alone, so what has it is left from a server that was killed. */
export async function listenAtSocket(sockets: Server, path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path)
  sockets.listen({ path, readableAll: true, writableAll: true })
  await once(sockets, 'listening')
}
