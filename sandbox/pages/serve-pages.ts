import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { World } from '../world.ts'
import { serveFrames } from './frames.ts'
import { serveHostedInvoice } from './hosted-invoice.ts'
import { serveOwner } from './owner.ts'
import { serveWallets } from './wallets.ts'

export function servePages(app: FastifyInstance, world: World): void {
  for (const sheet of ['pages.css', 'wallets.css'])
    app.get(`/${sheet}`, (_request, reply) =>
      reply.type('text/css').send(readFileSync(new URL(sheet, import.meta.url))),
    )
  serveFrames(app)
  serveWallets(app)
  serveOwner(app, world)
  serveHostedInvoice(app, world)
}
