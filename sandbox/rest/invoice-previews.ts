import type { FastifyInstance } from 'fastify'
import { changeInvoice, demandSameRhythm } from '../billing/changing.ts'
import { wished } from '../billing/discounts.ts'
import { previewJoin } from '../billing/joining.ts'
import { customerOf, worldOf } from '../billing/moment.ts'
import { previewRenewal } from '../billing/renewing.ts'
import { missingParam } from '../errors.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { findCustomer } from './customers.ts'
import { serveRest } from './serve-rest.ts'
import { findSubscription, priceOf } from './subscriptions.ts'

const DETAILS = ['items', 'proration_behavior', 'proration_date', 'trial_end']

export function serveInvoicePreviews(app: FastifyInstance, world: World): void {
  serveRest(app, world, {
    method: 'POST',
    path: '/v1/invoices/create_preview',
    answer({ params }) {
      const given = new Reader(params, ['customer', 'subscription', 'subscription_details', 'discounts'])
      const wish = given.nested('subscription_details', DETAILS)
      const id = given.text('subscription')
      if (!id) return ofNew(world, given, wish)
      const of = findSubscription(world, id)
      const at = worldOf(world, customerOf(of))
      const price = wish && priceOf(at, wish, of)
      if (!price || !wish) return previewRenewal(at, of)
      demandSameRhythm(of, price)
      const isAtOnce =
        wish.choice('proration_behavior', ['always_invoice', 'none']) === 'always_invoice' &&
        of.status !== 'trialing'
      if (!isAtOnce) return previewRenewal(at, of, price)
      return changeInvoice(at, of, price, wish.integer('proration_date') ?? at.clock.now(), true)
    },
  })
}

function ofNew(world: World, given: Reader, wish: Reader | undefined): object {
  const customer = findCustomer(world, given.demandText('customer'), 'customer')
  const at = worldOf(world, customer.id)
  const price = wish && priceOf(at, wish)
  if (!price) throw missingParam('subscription_details[items]')
  return previewJoin(at, {
    customer,
    price,
    trialEnd: wish.integer('trial_end') ?? null,
    discounts: wished(at, given),
  })
}
