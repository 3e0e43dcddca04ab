import type { FastifyInstance } from 'fastify'
import type { Clocks } from '../billing/clocks.ts'
import type { World } from '../world.ts'
import { serveCreditNotes } from './credit-notes.ts'
import { serveInvoicePreviews } from './invoice-previews.ts'
import { serveInvoices } from './invoices.ts'
import { servePrices } from './prices.ts'
import { serveProducts } from './products.ts'
import { servePromotionCodes } from './promotion-codes.ts'
import { serveSchedules } from './schedules.ts'
import { serveSubscriptions } from './subscriptions.ts'
import { serveTestClocks } from './test-clocks.ts'

export function serveBilling(app: FastifyInstance, world: World, clocks: Clocks): void {
  serveProducts(app, world)
  servePrices(app, world)
  servePromotionCodes(app, world)
  serveSubscriptions(app, world)
  serveSchedules(app, world)
  serveInvoicePreviews(app, world)
  serveInvoices(app, world)
  serveCreditNotes(app, world)
  serveTestClocks(app, world, clocks)
}
