import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { invalidRequest, noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { product } from '../objects/price.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { serveRest } from './serve-rest.ts'

export function serveProducts(app: FastifyInstance, world: World): void {
  const { store, clock } = world
  const path = '/v1/products'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const given = new Reader(params, ['id', 'name', 'description', 'metadata'])
      const id = given.text('id') ?? null
      if (id && store.get('product', id))
        throw invalidRequest('Product already exists.', { code: 'resource_already_exists', param: 'id' })
      const made = product(clock.now(), {
        id,
        name: given.demandText('name'),
        description: given.text('description') ?? null,
        metadata: given.metadata(),
      })
      store.put('product', made)
      world.emit('product.created', made)
      return made
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer: ({ params }) => page(new Reader(params, LIST_PARAMS), path, store.all<Stripe.Product>('product')),
  })

  serveRest(app, world, {
    method: 'GET',
    path: `${path}/:id`,
    answer: ({ ids }) => findProduct(world, ids.id!),
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id`,
    answer({ params, ids }) {
      const given = new Reader(params, ['name', 'description', 'metadata', 'active'])
      const before = findProduct(world, ids.id!)
      const changed: Stripe.Product = {
        ...before,
        active: given.has('active') ? given.flag('active') : before.active,
        name: given.text('name') ?? before.name,
        description: given.has('description') ? (given.text('description') ?? null) : before.description,
        metadata: given.metadata(before.metadata),
        updated: clock.now(),
      }
      store.put('product', changed)
      world.emit('product.updated', changed)
      return changed
    },
  })
}

export function findProduct({ store }: World, id: string): Stripe.Product {
  const found = store.get<Stripe.Product>('product', id)
  if (!found) throw noSuch('product', id, 'product')
  return found
}
