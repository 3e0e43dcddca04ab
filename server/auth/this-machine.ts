import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isLoopback } from '../settings/demo-mode.ts'
import { notFound } from '../http/http-errors.ts'

/**
 * Opens what is registered inside (`/dev/…`) only to someone at this machine; everyone else is told that it isn't
 * there.
 */
export function onlyFromThisMachine(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) =>
    done(isFromThisMachine(request.raw) && !isAskedByAnotherPage(request.raw) ? undefined : notFound()),
  )
}

/**
 * Three checks together. A page whose domain was pointed here (DNS rebinding) still sends its own name as Host, a proxy
 * on this machine says that it is forwarding, and another machine has another address.
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

/**
 * A page of another site may make the browser call. The call comes from this machine all the same, and only the
 * browser's word tells it apart. A link that was followed shows the page to the person, and to nobody else.
 */
function isAskedByAnotherPage({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' && headers['sec-fetch-mode'] === 'navigate') return false
  const site = headers['sec-fetch-site'] ?? 'none'
  const { origin } = headers
  return (
    !['same-origin', 'none'].includes(site) ||
    (origin !== undefined && URL.parse(origin)?.host !== headers.host)
  )
}

// Node gives header names in lower case. CF-IPCountry on its own is allowed: it shows the demo as if from abroad.
const FORWARDED =
  /^(?:x-forwarded.*|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|fastly-client-ip|fly-client-ip|cdn-loop|cf-(?!ipcountry$).*)$/
