import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { accountOf } from '../billing/account.ts'
import { changePrice } from '../billing/changing.ts'
import { give, wished } from '../billing/discounts.ts'
import { endSubscription } from '../billing/ending.ts'
import { join } from '../billing/joining.ts'
import { customerOf, worldOf } from '../billing/moment.ts'
import { changeSubscription } from '../billing/standing.ts'
import { DAY } from '../calendar.ts'
import { invalidRequest, missingParam, noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { itemOf, periodOf } from '../objects/subscription.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { findCustomer } from './customers.ts'
import { serveRest } from './serve-rest.ts'
import { findPrice } from './prices.ts'
import { idOf } from '../objects/id.ts'

const NEW = [
  'customer',
  'items',
  'payment_behavior',
  'payment_settings',
  'trial_period_days',
  'trial_end',
  'trial_settings',
  'discounts',
  'default_payment_method',
  'off_session',
  'description',
  'metadata',
]
const CHANGEABLE = [
  'items',
  'proration_behavior',
  'proration_date',
  'payment_behavior',
  'cancel_at_period_end',
  'cancellation_details',
  'default_payment_method',
  'discounts',
  'off_session',
  'description',
  'metadata',
]

export function serveSubscriptions(app: FastifyInstance, world: World): void {
  const { store } = world
  const path = '/v1/subscriptions'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const given = new Reader(params, NEW)
      const customer = findCustomer(world, given.demandText('customer'), 'customer')
      return create(worldOf(world, customer.id), customer, given)
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'customer', 'status', 'price', 'test_clock'])
      const [customer, status, price] = [given.text('customer'), given.text('status'), given.text('price')]
      const all = store
        .where<Stripe.Subscription>('subscription', { customer })
        .filter(
          (each) =>
            (!price || itemOf(each).price.id === price) &&
            (status === 'all' || (status ? each.status === status : each.status !== 'canceled')),
        )
      return page(given, path, all)
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: `${path}/:id`,
    answer: ({ ids }) => findSubscription(world, ids.id!),
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id`,
    answer({ params, ids }) {
      const before = findSubscription(world, ids.id!)
      return update(worldOf(world, customerOf(before)), before, new Reader(params, CHANGEABLE))
    },
  })

  serveRest(app, world, {
    method: 'DELETE',
    path: `${path}/:id`,
    answer({ params, ids }) {
      const given = new Reader(params, ['cancellation_details', 'invoice_now', 'prorate'])
      const before = findSubscription(world, ids.id!)
      if (before.ended_at !== null) throw noSuch('subscription', before.id)
      if (given.flag('prorate') || given.flag('invoice_now'))
        throw invalidRequest('The sandbox ends a subscription without a last invoice.', { param: 'prorate' })
      const at = worldOf(world, customerOf(before))
      return endSubscription(at, { ...before, ...details(before, given) }, 'cancellation_requested')
    },
  })
}

export function findSubscription({ store }: World, id: string): Stripe.Subscription {
  const found = store.get<Stripe.Subscription>('subscription', id)
  if (!found) throw noSuch('subscription', id, 'subscription')
  return found
}

function create(world: World, customer: Stripe.Customer, given: Reader): Stripe.Subscription {
  const price = priceOf(world, given) ?? missing('items')
  const behavior = given.choice('payment_behavior', ['default_incomplete', 'allow_incomplete'])
  const settings = given.nested('payment_settings', ['save_default_payment_method', 'payment_method_types'])
  const days = given.integer('trial_period_days')
  const trialEnd = given.integer('trial_end') ?? (days ? world.clock.now() + days * DAY : null)
  const method = ownMethod(world, customer.id, given)
  return join(world, {
    customer,
    price,
    trialEnd,
    missingMethod: missingMethodOf(given),
    method,
    methodTypes: settings?.list('payment_method_types') ?? null,
    saves: settings?.choice('save_default_payment_method', ['off', 'on_subscription']) === 'on_subscription',
    charges: behavior !== 'default_incomplete',
    discounts: wished(world, given),
    description: given.text('description') ?? null,
    metadata: given.metadata(),
  })
}

function missingMethodOf(given: Reader): string {
  const end = given
    .nested('trial_settings', ['end_behavior'])
    ?.nested('end_behavior', ['missing_payment_method'])
  return end?.choice('missing_payment_method', ['cancel', 'create_invoice', 'pause']) ?? 'create_invoice'
}

function update(world: World, before: Stripe.Subscription, given: Reader): Stripe.Subscription {
  if (before.ended_at !== null && CHANGEABLE.some((name) => name !== 'metadata' && given.has(name)))
    throw invalidRequest('A canceled subscription can only update its cancellation_details and metadata.', {
      param: 'status',
    })
  if (given.has('cancel_at_period_end') && before.schedule)
    throw invalidRequest(
      `The subscription is managed by the subscription schedule \`${idOf(before.schedule)}\`, and updating any cancelation behavior directly is not allowed.`,
      { param: 'cancel_at_period_end' },
    )
  const behavior = given.choice('payment_behavior', ['allow_incomplete', 'pending_if_incomplete'])
  const waitsForMoney = behavior === 'pending_if_incomplete'
  if (waitsForMoney && given.has('default_payment_method'))
    throw invalidRequest('This cannot be passed with payment_behavior=pending_if_incomplete.', {
      param: 'default_payment_method',
    })
  const method = ownMethod(world, idOf(before.customer), given)
  const changed = changeSubscription(world, before, {
    ...before,
    ...leaving(world, before, given),
    default_payment_method: method ?? before.default_payment_method,
    description: given.has('description') ? (given.text('description') ?? null) : before.description,
    discounts: given.has('discounts')
      ? give(world, { customer: idOf(before.customer), subscription: before.id }, wished(world, given))
      : before.discounts,
    metadata: given.metadata(before.metadata),
  })
  const price = priceOf(world, given, changed)
  if (!price || price.id === itemOf(changed).price.id) return changed
  if (before.schedule && accountOf(world.store).scheduledUpdates === 'refused')
    throw invalidRequest(
      `The subscription is managed by the subscription schedule \`${idOf(before.schedule)}\`, and updating its items directly is not allowed.`,
      { param: 'items' },
    )
  const proration = given.choice('proration_behavior', ['always_invoice', 'none'])
  if (!proration)
    throw invalidRequest('The sandbox prorates at once (always_invoice) or not at all (none).', {
      param: 'proration_behavior',
    })
  const at = given.integer('proration_date') ?? world.clock.now()
  const { start, end } = periodOf(changed)
  if (at < start || at > end)
    throw invalidRequest('proration_date must be within the current period.', { param: 'proration_date' })
  return changePrice(world, changed, { price, prorates: proration === 'always_invoice', at, waitsForMoney })
}

/** The price in `items[0]`. If an item id is given, it must be the subscription's item. */
export function priceOf(world: World, given: Reader, of?: Stripe.Subscription): Stripe.Price | undefined {
  const items = given.each('items', ['id', 'price', 'quantity'])
  if (items.length > 1)
    throw invalidRequest('The sandbox knows subscriptions to one thing.', { param: 'items' })
  const [item] = items
  if (!item) return undefined
  const id = item.text('id')
  if (of && id !== itemOf(of).id)
    throw invalidRequest('An item without its id would be a second one; the sandbox knows one.', {
      param: 'items[0][id]',
    })
  return findPrice(world, item.demandText('price'), 'items[0][price]')
}

function leaving({ clock }: World, before: Stripe.Subscription, given: Reader): Partial<Stripe.Subscription> {
  if (!given.has('cancel_at_period_end')) return details(before, given)
  const leaves = given.flag('cancel_at_period_end')
  const own = details(before, given).cancellation_details ?? before.cancellation_details
  return {
    cancel_at: leaves ? periodOf(before).end : null,
    cancel_at_period_end: leaves,
    canceled_at: leaves ? (before.canceled_at ?? clock.now()) : null,
    cancellation_details: {
      comment: leaves ? (own?.comment ?? null) : null,
      feedback: leaves ? (own?.feedback ?? null) : null,
      feedback_option: null,
      reason: leaves ? 'cancellation_requested' : null,
    },
  }
}

function details(before: Stripe.Subscription, given: Reader): Partial<Stripe.Subscription> {
  const told = given.nested('cancellation_details', ['comment', 'feedback'])
  if (!told) return {}
  return {
    cancellation_details: {
      comment: told.text('comment') ?? null,
      feedback: told.text('feedback') ?? null,
      feedback_option: null,
      reason: before.cancellation_details?.reason ?? null,
    },
  }
}

function ownMethod({ store }: World, customer: string, given: Reader): string | null {
  const id = given.text('default_payment_method') ?? null
  if (id === null) return null
  const method = store.get<Stripe.PaymentMethod>('payment_method', id)
  if (method?.customer !== customer)
    throw invalidRequest(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      { code: 'resource_missing', param: 'default_payment_method' },
    )
  return id
}

function missing(param: string): never {
  throw missingParam(param)
}
