import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { noSuch } from '../errors.ts'
import { browserModule, browserScript } from './browser-code.ts'
import { sendPage } from './layout.ts'

const FIELDS: Readonly<Record<string, string>> = {
  cardNumber: 'Credit or debit card number',
  cardExpiry: 'Credit or debit card expiration date',
  cardCvc: 'Credit or debit card CVC/CVV',
}

/** Serves the replacement for Stripe.js and its frames. Only the frames handle card numbers. */
export function serveFrames(app: FastifyInstance): void {
  app.get('/stripe.js', (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(browserScript('stripe.ts')),
  )
  app.get<{ Params: { name: string } }>('/browser/:name', (request, reply) => {
    const { name } = request.params
    if (!/^[a-z-]+\.ts$/.test(name)) throw noSuch('file', name)
    return reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(browserModule(name))
  })
  app.get('/field.css', (_request, reply) =>
    reply.type('text/css').send(readFileSync(new URL('field.css', import.meta.url))),
  )
  app.get<{ Params: { type: string } }>('/elements/:type', (request, reply) => {
    const label = FIELDS[request.params.type]
    if (!label) throw noSuch('element', request.params.type)
    return sendPage(
      reply,
      label,
      '<link rel="stylesheet" href="/field.css">\n<script type="module" src="/browser/field.ts"></script>',
      `<div><input aria-label="${label}" inputmode="numeric" spellcheck="false" autocapitalize="off"></div>`,
    )
  })
  app.get('/controller', (_request, reply) =>
    sendPage(
      reply,
      'Payments',
      '<script type="module" src="/browser/controller.ts"></script>',
      '<div></div>',
    ),
  )
}
