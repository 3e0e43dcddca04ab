import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isLoopback } from '../settings/demo-mode.ts'
import { notFound } from '../http/http-errors.ts'

export function onlyFromThisMachine(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) =>
    done(isFromThisMachine(request.raw) && !isAskedByAnotherPage(request.raw) ? undefined : notFound()),
  )
}

/** Checks the Host (DNS rebinding), forwarding headers (a proxy on this machine) and the address. */
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

/** Only the browser's own headers reveal a request caused by another site. Following a link is allowed. */
function isAskedByAnotherPage({ method, headers }: IncomingMessage): boolean {
  if (method === 'GET' && headers['sec-fetch-mode'] === 'navigate') return false
  const site = headers['sec-fetch-site'] ?? 'none'
  const { origin } = headers
  return (
    !['same-origin', 'none'].includes(site) ||
    (origin !== undefined && URL.parse(origin)?.host !== headers.host)
  )
}

// Node gives header names in lower case. CF-IPCountry alone is allowed: it shows the demo as if from abroad.
const FORWARDED =
  /^(?:x-forwarded.*|forwarded|via|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|fastly-client-ip|fly-client-ip|cdn-loop|cf-(?!ipcountry$).*)$/
