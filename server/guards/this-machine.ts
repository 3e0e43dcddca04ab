import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isLoopback } from '../demo-mode.ts'
import { notFound } from '../refusals.ts'

/**
 * Keeps what is registered within (`/dev/…`) to whoever sits at this machine: anything else is answered as if it
 * were not there.
 */
export function onlyFromThisMachine(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) =>
    done(isFromThisMachine(request.raw) ? undefined : notFound()),
  )
}

/**
 * Three signs together. A page elsewhere whose name was made to lead here (DNS rebinding) still sends that name as
 * Host, a proxy on this machine says that it forwards, and another machine has another address.
 */
export function isFromThisMachine({
  headers,
  socket,
}: Pick<IncomingMessage, 'headers'> & { socket: { remoteAddress?: string | undefined } }): boolean {
  const host = URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? ''
  return (
    isLoopback(host) &&
    isLoopback((socket.remoteAddress ?? '').replace(/^::ffff:/, '')) &&
    !Object.keys(headers).some((name) => FORWARDED.test(name))
  )
}

// Node hands header names out in lower case. CF-IPCountry alone is what a demo is shown from abroad with.
const FORWARDED =
  /^(?:x-forwarded.*|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|fastly-client-ip|fly-client-ip|cdn-loop|cf-(?!ipcountry$).*)$/
