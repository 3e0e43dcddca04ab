import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { invalidRequest, noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { refund } from '../objects/others.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { serveRest } from './door.ts'

export function serveRefunds(app: FastifyInstance, world: World): void {
  const { store } = world
  const path = '/v1/refunds'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer: ({ params }) =>
      giveBack(world, new Reader(params, ['payment_intent', 'charge', 'amount', 'reason', 'metadata'])),
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'payment_intent', 'charge'])
      const intent = given.text('payment_intent')
      const charge = given.text('charge')
      const all = store
        .all<Stripe.Refund>('refund')
        .filter((each) => (!intent || each.payment_intent === intent) && (!charge || each.charge === charge))
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

function giveBack(world: World, given: Reader): Stripe.Refund {
  const { store, clock } = world
  const charge = chargeOf(world, given)
  const left = charge.amount - charge.amount_refunded
  if (left === 0)
    throw invalidRequest(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
      charge: charge.id,
    })
  if (charge.disputed)
    throw invalidRequest(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
      charge: charge.id,
    })
  const amount = given.integer('amount') ?? left
  if (amount < 1 || amount > left)
    throw invalidRequest(
      `Refund amount (£${(amount / 100).toFixed(2)}) is greater than unrefunded amount on charge (£${(left / 100).toFixed(2)})`,
      { param: 'amount' },
    )

  const reason = given.choice('reason', ['duplicate', 'fraudulent', 'requested_by_customer']) ?? null
  const made = refund(clock.now(), charge, amount, reason, given.metadata())
  const refunded = charge.amount_refunded + amount
  const after: Stripe.Charge = { ...charge, amount_refunded: refunded, refunded: refunded === charge.amount }
  store.put('refund', made)
  store.put('charge', after)
  world.emit('refund.created', made)
  world.emit('charge.refunded', after, { amount_refunded: charge.amount_refunded, refunded: charge.refunded })
  return made
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
      ? noSuch('charge', String(id), 'charge')
      : invalidRequest(
          'One of the following params should be provided for this request: payment_intent or charge.',
        )
  return charge
}
