import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { World } from '../world.ts'
import { serveFrames } from './frames.ts'
import { serveHostedInvoice } from './hosted-invoice.ts'
import { serveOwner } from './owner.ts'

export function servePages(app: FastifyInstance, world: World): void {
  app.get('/pages.css', (_request, reply) =>
    reply.type('text/css').send(readFileSync(new URL('pages.css', import.meta.url))),
  )
  serveFrames(app)
  serveOwner(app, world)
  serveHostedInvoice(app, world)
}
