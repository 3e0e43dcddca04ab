import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { attempt, methodOf } from '../billing/charging.ts'
import { finalise, intentOf, voided } from '../billing/invoices.ts'
import { customerOf, worldOf } from '../billing/moment.ts'
import { invalidRequest, noSuch, StripeProblem } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { findMethod } from '../methods.ts'
import { OF_SUBSCRIPTION } from '../objects/invoice.ts'
import { Reader } from '../params.ts'
import { throwRefusal } from '../pay.ts'
import type { World } from '../world.ts'
import { serveRest } from './serve-rest.ts'

export function serveInvoices(app: FastifyInstance, world: World): void {
  const { store } = world
  const path = '/v1/invoices'

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'customer', 'subscription', 'status'])
      const [customer, subscription, status] = ['customer', 'subscription', 'status'].map((name) =>
        given.text(name),
      )
      const wanted = { [OF_SUBSCRIPTION]: subscription, customer, status }
      return page(given, path, store.where<Stripe.Invoice>('invoice', wanted))
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: `${path}/:id`,
    answer: ({ ids }) => findInvoice(world, ids.id!),
  })

  const act = (verb: string, known: readonly string[], work: Work) =>
    serveRest(app, world, {
      method: 'POST',
      path: `${path}/:id/${verb}`,
      answer({ params, ids }) {
        const invoice = findInvoice(world, ids.id!)
        return work(worldOf(world, customerOf(invoice)), invoice, new Reader(params, known))
      },
    })

  act('pay', ['payment_method', 'off_session'], pay)
  act('void', [], voided)
  act('finalize', ['auto_advance'], (at, invoice) => {
    if (invoice.status !== 'draft')
      throw invalidRequest('This invoice is already finalized.', { code: 'invoice_not_editable' })
    return finalise(at, invoice)
  })
}

type Work = (world: World, invoice: Stripe.Invoice, given: Reader) => Stripe.Invoice

export function findInvoice({ store }: World, id: string, param = 'invoice'): Stripe.Invoice {
  const found = store.get<Stripe.Invoice>('invoice', id)
  if (!found) throw noSuch('invoice', id, param)
  return found
}

/** Charges the given payment method, or the default one. A bank's refusal is an error response. */
function pay(world: World, invoice: Stripe.Invoice, given: Reader): Stripe.Invoice {
  if (invoice.status === 'paid')
    throw invalidRequest('Invoice is already paid', { code: 'invoice_already_paid' })
  const open = finalise(world, invoice)
  if (open.status === 'paid') return open
  if (open.status !== 'open')
    throw invalidRequest(`This invoice is ${open.status} and cannot be paid.`, {
      code: 'invoice_not_editable',
    })
  const named = given.text('payment_method')
  const method = named ? findMethod(world, named) : methodOf(world.store, open)
  if (!method)
    throw invalidRequest('There is no `default_payment_method` set on this Customer or Invoice.', {
      code: 'missing',
    })
  const after = attempt(world, open, method)
  if (after.status === 'paid') return after
  const intent = intentOf(world.store, open.id)!
  if (intent.status === 'requires_action')
    throw new StripeProblem(402, {
      type: 'card_error',
      code: 'invoice_payment_intent_requires_action',
      message: 'This payment requires additional user action before it can be completed successfully.',
      payment_intent: intent,
    })
  throwRefusal(intent)
  return after
}
