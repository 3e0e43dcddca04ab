import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { invalidRequest, noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { Reader } from '../params.ts'
import { giveBack } from '../refunding.ts'
import type { World } from '../world.ts'
import { serveRest } from './serve-rest.ts'
import { idOf } from '../objects/id.ts'

export function serveRefunds(app: FastifyInstance, world: World): void {
  const { store } = world
  const path = '/v1/refunds'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const given = new Reader(params, ['payment_intent', 'charge', 'amount', 'reason', 'metadata'])
      const reason = given.choice('reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null
      return giveBack(world, chargeOf(world, given), {
        amount: given.integer('amount'),
        reason,
        metadata: given.metadata(),
      })
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'payment_intent', 'charge'])
      const intent = given.text('payment_intent')
      const charge = given.text('charge')
      const all = store.where<Stripe.Refund>('refund', { payment_intent: intent, charge })
      return page(given, path, all)
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: `${path}/:id`,
    answer({ ids }) {
      const found = store.get<Stripe.Refund>('refund', ids.id!)
      if (!found) throw noSuch('refund', ids.id!)
      return found
    },
  })
}

function chargeOf(world: World, given: Reader): Stripe.Charge {
  const { store } = world
  const intentId = given.text('payment_intent')
  const intent = intentId ? store.get<Stripe.PaymentIntent>('payment_intent', intentId) : undefined
  if (intentId && !intent) throw noSuch('payment_intent', intentId, 'payment_intent')
  const id = intent ? intent.latest_charge : given.text('charge')
  const charge = typeof id === 'string' ? store.get<Stripe.Charge>('charge', id) : undefined
  if (intent && charge?.status !== 'succeeded')
    throw invalidRequest(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    })
  if (!charge)
    throw id
      ? noSuch('charge', idOf(id), 'charge')
      : invalidRequest(
          'One of the following params should be provided for this request: payment_intent or charge.',
        )
  return charge
}
