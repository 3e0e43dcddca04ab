import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

interface Closing {
  readonly app: FastifyInstance
  readonly shop: { readonly ending: AbortSignal; readonly config: { readonly drainSeconds: number } }
}

/**
 * Node's `close` waits for connections without a request, and cuts responses that are not yet received. A response
 * from before the shutdown did not announce that its connection closes, so a proxy may send its next request there:
 * it stays open for the drain time.
 */
export function endLastConnections({ app, shop }: Closing): void {
  const keptMs = shop.config.drainSeconds * 1_000
  const unasked = new Set<Socket>()
  const asked = new Set<Socket>()
  const kept = new Map<Socket, NodeJS.Timeout>()
  let isClosing = false
  const keepForAWhile = (socket: Socket) => {
    keepNoLonger(socket)
    // Its client may have disappeared without closing the connection.
    kept.set(
      socket,
      setTimeout(() => socket.destroySoon(), keptMs),
    )
  }
  const keepNoLonger = (socket: Socket) => {
    clearTimeout(kept.get(socket))
    kept.delete(socket)
  }
  app.server.on('connection', (socket: Socket) => {
    unasked.add(socket)
    socket.once('close', () => {
      unasked.delete(socket)
      asked.delete(socket)
      keepNoLonger(socket)
    })
  })
  app.server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    unasked.delete(socket)
    asked.add(socket)
    // This response announces that the connection closes.
    keepNoLonger(socket)
    response.once('finish', () => {
      asked.delete(socket)
      if ((isClosing || shop.ending.aborted) && !socket.destroyed) keepForAWhile(socket)
    })
  })
  app.addHook('preClose', async () => {
    isClosing = true
    for (const socket of unasked) socket.destroy()
    const last = [...asked, ...kept.keys()]
    await Promise.all(last.map((socket) => new Promise((resolve) => socket.once('close', resolve))))
  })
}
