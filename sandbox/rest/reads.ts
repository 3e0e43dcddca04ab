import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { serveRest } from './serve-rest.ts'

const THIRTY_DAYS = 30 * 86_400

/** Read-only endpoints for objects that arise from other calls: charges, disputes, mandates, events. */
export function serveReads(app: FastifyInstance, world: World): void {
  const { store, clock } = world
  const one = (kind: string, path: string) =>
    serveRest(app, world, {
      method: 'GET',
      path: `${path}/:id`,
      answer({ ids }) {
        const found = store.get(kind, ids.id!)
        if (!found) throw noSuch(kind, ids.id!)
        return found
      },
    })

  one('charge', '/v1/charges')
  one('dispute', '/v1/disputes')
  one('event', '/v1/events')
  one('mandate', '/v1/mandates')
  one('invoice_payment', '/v1/invoice_payments')

  serveRest(app, world, {
    method: 'GET',
    path: '/v1/invoice_payments',
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'invoice', 'payment', 'status'])
      const invoice = given.text('invoice')
      const intent = given.nested('payment', ['type', 'payment_intent'])?.text('payment_intent')
      const wanted = { invoice, 'payment.payment_intent': intent }
      const all = store.where<Stripe.InvoicePayment>('invoice_payment', wanted)
      return page(given, '/v1/invoice_payments', all)
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: '/v1/charges',
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'payment_intent', 'customer'])
      const intent = given.text('payment_intent')
      const customer = given.text('customer')
      const all = store.where<Stripe.Charge>('charge', { payment_intent: intent, customer })
      return page(given, '/v1/charges', all)
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: '/v1/disputes',
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'payment_intent', 'charge'])
      const intent = given.text('payment_intent')
      const all = store.where<Stripe.Dispute>('dispute', { payment_intent: intent })
      return page(given, '/v1/disputes', all)
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: '/v1/events',
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'type', 'types', 'delivery_success'])
      const types = given.list('types') ?? [given.text('type')].flatMap((type) => type ?? [])
      const oldest = clock.now() - THIRTY_DAYS
      const all = store
        .all<Stripe.EventBase>('event')
        .filter(({ type, created }) => created >= oldest && (types.length === 0 || types.some(isLike(type))))
      return page(given, '/v1/events', all)
    },
  })
}

/** `charge.*` matches every charge event. */
const isLike = (type: string) => (wanted: string) =>
  wanted.endsWith('*') ? type.startsWith(wanted.slice(0, -1)) : type === wanted
