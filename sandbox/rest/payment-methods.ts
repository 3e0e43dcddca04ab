import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { cardOf } from '../cards.ts'
import { noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { attach, cardProblem, findMethod, hiddenOf, makeMethod, METHOD_PARAMS } from '../methods.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { findCustomer } from './customers.ts'
import { serveRest } from './serve-rest.ts'

export function servePaymentMethods(app: FastifyInstance, world: World): void {
  const { store } = world
  const path = '/v1/payment_methods'

  serveRest(app, world, {
    method: 'POST',
    path,
    browser: true,
    answer: ({ params }) => makeMethod(world, new Reader(params, METHOD_PARAMS)),
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'customer', 'type'])
      const customer = given.text('customer')
      const type = given.text('type')
      const all = customer ? store.where<Stripe.PaymentMethod>('payment_method', { customer, type }) : []
      return page(given, path, all)
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: `${path}/:id`,
    answer({ ids }) {
      const found = store.get<Stripe.PaymentMethod>('payment_method', ids.id!)
      if (!found) throw noSuch('PaymentMethod', ids.id!)
      return found
    },
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id/attach`,
    answer({ params, ids }) {
      const customer = findCustomer(
        world,
        new Reader(params, ['customer']).demandText('customer'),
        'customer',
      ).id
      const method = findMethod(world, ids.id!)
      const { number } = hiddenOf(world, method.id)
      const card = number ? cardOf(number) : undefined
      if (card?.refusal && !card.attaches)
        throw cardProblem(
          card.refusal.code,
          card.refusal.message,
          undefined,
          card.refusal.declineCode ?? undefined,
        )
      return attach(world, method, customer)
    },
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id/detach`,
    answer({ ids }) {
      const method = findMethod(world, ids.id!)
      const detached: Stripe.PaymentMethod = { ...method, customer: null }
      store.put('payment_method', detached)
      world.emit('payment_method.detached', detached, { customer: method.customer })
      return detached
    },
  })
}
