import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { invalidRequest, missingParam, noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { price } from '../objects/price.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { serveRest } from './serve-rest.ts'
import { findProduct } from './products.ts'

const FIELDS = [
  'product',
  'currency',
  'unit_amount',
  'recurring',
  'lookup_key',
  'transfer_lookup_key',
  'nickname',
  'tax_behavior',
  'metadata',
]

export function servePrices(app: FastifyInstance, world: World): void {
  const { store, clock } = world
  const path = '/v1/prices'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const given = new Reader(params, FIELDS)
      const recurring = given.nested('recurring', ['interval', 'interval_count'])
      if (!recurring) throw missingParam('recurring')
      const amount = given.integer('unit_amount')
      if (amount === undefined) throw missingParam('unit_amount')
      if (given.demandText('currency').toLowerCase() !== 'gbp')
        throw invalidRequest('The sandbox knows gbp.', { param: 'currency' })
      const made = price(clock.now(), {
        product: findProduct(world, given.demandText('product')).id,
        amount,
        lookupKey: takenKey(world, given),
        nickname: given.text('nickname') ?? null,
        interval: recurring.choice('interval', ['day', 'week', 'month', 'year']) ?? missing('recurring'),
        intervalCount: recurring.integer('interval_count') ?? 1,
        taxBehavior: given.choice('tax_behavior', ['inclusive', 'exclusive', 'unspecified']) ?? 'unspecified',
        metadata: given.metadata(),
      })
      store.put('price', made)
      world.emit('price.created', made)
      return made
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'lookup_keys', 'active', 'product'])
      const keys = given.list('lookup_keys')
      if (keys && keys.length > 10)
        throw invalidRequest('You may only pass up to 10 lookup keys.', { param: 'lookup_keys' })
      const product = given.text('product')
      const all = store
        .all<Stripe.Price>('price')
        .filter(
          (each) =>
            (!keys || keys.includes(each.lookup_key ?? '')) &&
            (!given.has('active') || each.active === given.flag('active')) &&
            (!product || each.product === product),
        )
      return page(given, path, all)
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path: `${path}/:id`,
    answer: ({ ids }) => findPrice(world, ids.id!),
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id`,
    answer({ params, ids }) {
      const given = new Reader(params, [
        'active',
        'lookup_key',
        'transfer_lookup_key',
        'nickname',
        'metadata',
        'tax_behavior',
      ])
      const before = findPrice(world, ids.id!)
      const changed: Stripe.Price = {
        ...before,
        active: given.has('active') ? given.flag('active') : before.active,
        lookup_key: given.has('lookup_key') ? takenKey(world, given) : before.lookup_key,
        nickname: given.has('nickname') ? (given.text('nickname') ?? null) : before.nickname,
        metadata: given.metadata(before.metadata),
      }
      store.put('price', changed)
      world.emit('price.updated', changed)
      return changed
    },
  })
}

export function findPrice({ store }: World, id: string, param = 'price'): Stripe.Price {
  const found = store.get<Stripe.Price>('price', id)
  if (!found) throw noSuch('price', id, param)
  return found
}

/** A lookup key belongs to one price; another price takes it over only with `transfer_lookup_key`. */
function takenKey({ store }: World, given: Reader): string | null {
  const key = given.text('lookup_key') ?? null
  const holder = key && store.all<Stripe.Price>('price').find((each) => each.lookup_key === key)
  if (holder && !given.flag('transfer_lookup_key'))
    throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`, { param: 'lookup_key' })
  if (holder) store.put('price', { ...holder, lookup_key: null })
  return key
}

function missing(param: string): never {
  throw missingParam(param)
}
