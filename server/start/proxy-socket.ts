import { lstatSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'

/** A Unix socket, whose path can be switched to another server without losing a request (tools/serving.ts). */
export function proxySocket({ server }: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true }, (socket) => {
    // Unix sockets have no addresses, and only this machine can reach this one.
    Object.defineProperty(socket, 'remoteAddress', { value: '127.0.0.1' })
    server.emit('connection', socket)
  })
}

/** The path belongs to this server alone, so an existing socket was left by a killed server. */
export async function listenAtSocket(sockets: Server, path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path)
  sockets.listen({ path, readableAll: true, writableAll: true })
  await once(sockets, 'listening')
}
