import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { endSubscription } from '../billing/ending.ts'
import { worldOf } from '../billing/moment.ts'
import { noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { customer } from '../objects/others.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { serveRest } from './serve-rest.ts'

const FIELDS = ['email', 'name', 'phone', 'description', 'metadata', 'invoice_settings']

export function serveCustomers(app: FastifyInstance, world: World): void {
  const { store, clock } = world
  const path = '/v1/customers'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const given = new Reader(params, [...FIELDS, 'test_clock'])
      const clockId = given.text('test_clock') ?? null
      if (clockId && !store.get('test_clock', clockId)) throw noSuch('test clock', clockId, 'test_clock')
      const made = customer(clock.now(), {
        email: given.text('email') ?? null,
        name: given.text('name') ?? null,
        phone: given.text('phone') ?? null,
        description: given.text('description') ?? null,
        metadata: given.metadata(),
        testClock: clockId,
      })
      store.put('customer', made)
      world.emit('customer.created', made)
      return made
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'email'])
      const email = given.text('email')
      return page(given, path, store.where<Stripe.Customer>('customer', { email }))
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: `${path}/:id`,
    answer: ({ ids }) => store.get('deleted-customer', ids.id!) ?? findCustomer(world, ids.id!),
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id`,
    answer({ params, ids }) {
      const given = new Reader(params, FIELDS)
      const before = findCustomer(world, ids.id!)
      const text = (name: 'description' | 'email' | 'name' | 'phone') =>
        given.has(name) ? (given.text(name) ?? null) : (before[name] ?? null)
      const settings = given.nested('invoice_settings', ['default_payment_method'])
      const changed: Stripe.Customer = {
        ...before,
        description: text('description'),
        email: text('email'),
        name: text('name'),
        phone: text('phone'),
        metadata: given.metadata(before.metadata),
        invoice_settings: settings?.has('default_payment_method')
          ? {
              ...before.invoice_settings,
              default_payment_method: settings.text('default_payment_method') ?? null,
            }
          : before.invoice_settings,
      }
      store.put('customer', changed)
      world.emit('customer.updated', changed)
      return changed
    },
  })

  serveRest(app, world, {
    method: 'DELETE',
    path: `${path}/:id`,
    answer: ({ ids }) => deleteCustomer(world, findCustomer(world, ids.id!)),
  })

  serveRest(app, world, {
    method: 'GET',
    path: `${path}/:id/payment_methods`,
    answer({ params, ids }) {
      const given = new Reader(params, [...LIST_PARAMS, 'type'])
      findCustomer(world, ids.id!)
      const type = given.text('type')
      const own = store.where<Stripe.PaymentMethod>('payment_method', { customer: ids.id, type })
      return page(given, `${path}/${ids.id}/payment_methods`, own)
    },
  })
}

/** Ends all subscriptions of the customer at once and removes the payment methods. Payments stay. */
function deleteCustomer(world: World, before: Stripe.Customer): Stripe.DeletedCustomer {
  const { store } = world
  const at = worldOf(world, before.id)
  for (const each of store.where<Stripe.Subscription>('subscription', { customer: before.id }))
    if (each.ended_at === null) endSubscription(at, each, 'cancellation_requested')
  for (const method of store.where<Stripe.PaymentMethod>('payment_method', { customer: before.id }))
    store.put('payment_method', { ...method, customer: null })
  const deleted: Stripe.DeletedCustomer = { id: before.id, object: 'customer', deleted: true }
  store.put('deleted-customer', deleted)
  store.remove('customer', before.id)
  world.emit('customer.deleted', before)
  return deleted
}

export function findCustomer(world: World, id: string, param = 'id'): Stripe.Customer {
  const found = world.store.get<Stripe.Customer>('customer', id)
  if (!found) throw noSuch('customer', id, param)
  return found
}

export function demandCustomer(world: World, given: Reader): string | null {
  const id = given.text('customer')
  return id ? findCustomer(world, id, 'customer').id : null
}
