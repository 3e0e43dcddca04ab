import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

interface Closing {
  readonly app: FastifyInstance
  readonly shop: { readonly ending: AbortSignal; readonly config: { readonly drainSeconds: number } }
}

/**
 * HTTP's own `close` waits for connections on which nothing was asked yet, as browsers open some in advance, and cuts those whose answer
 * has been written and not yet been taken. Here answers come to their end. One that was begun before the notice, as live streams and
 * downloads are, did not say that its connection ends, and a proxy may send its next call there at once: such a connection is kept for
 * as long as visitors are given notice, which is longer than a proxy keeps one that it does not use.
 */
export function endLastConnections({ app, shop }: Closing): void {
  const keptMs = shop.config.drainSeconds * 1_000
  const unasked = new Set<Socket>()
  const asked = new Set<Socket>()
  const kept = new Map<Socket, NodeJS.Timeout>()
  let isClosing = false
  const keepForAWhile = (socket: Socket) => {
    keepNoLonger(socket)
    // Whoever is at its other end may be gone without a word.
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
    // The answer says that the connection ends.
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
