import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { invalidRequest, missingParam, noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { coupon } from '../objects/others.ts'
import { Reader } from '../params.ts'
import { randomText, type World } from '../world.ts'
import { serveRest } from './serve-rest.ts'

const FIELDS = [
  'id',
  'amount_off',
  'currency',
  'duration',
  'duration_in_months',
  'max_redemptions',
  'metadata',
  'name',
  'percent_off',
  'redeem_by',
]

export function serveCoupons(app: FastifyInstance, world: World): void {
  const { store, clock } = world
  const path = '/v1/coupons'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const given = new Reader(params, FIELDS)
      const id = given.text('id') ?? randomText(8)
      if (store.get('coupon', id))
        throw invalidRequest('Coupon already exists.', { code: 'resource_already_exists', param: 'id' })
      const made = coupon(clock.now(), {
        id,
        ...discountOf(given),
        ...durationOf(given),
        metadata: given.metadata(),
      })
      store.put('coupon', made)
      world.emit('coupon.created', made)
      return made
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer: ({ params }) =>
      page(new Reader(params, LIST_PARAMS), path, store.all<Stripe.Coupon>('coupon').map(current)),
  })

  serveRest(app, world, { method: 'GET', path: `${path}/:id`, answer: ({ ids }) => find(ids.id!) })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id`,
    answer({ params, ids }) {
      const given = new Reader(params, ['metadata', 'name'])
      const before = find(ids.id!)
      const changed: Stripe.Coupon = {
        ...before,
        metadata: given.metadata(before.metadata ?? {}),
        name: given.has('name') ? (given.text('name') ?? null) : before.name,
      }
      store.put('coupon', changed)
      return changed
    },
  })

  serveRest(app, world, {
    method: 'DELETE',
    path: `${path}/:id`,
    answer({ ids }) {
      find(ids.id!)
      store.remove('coupon', ids.id!)
      return { id: ids.id, object: 'coupon', deleted: true }
    },
  })

  function find(id: string): Stripe.Coupon {
    const found = store.get<Stripe.Coupon>('coupon', id)
    if (!found) throw noSuch('coupon', id, 'coupon')
    return current(found)
  }

  /** Calculates `valid`, which depends on the clock. */
  function current(stored: Stripe.Coupon): Stripe.Coupon {
    const isOver = stored.redeem_by !== null && stored.redeem_by <= clock.now()
    const isUsedUp = stored.max_redemptions !== null && stored.times_redeemed >= stored.max_redemptions
    return { ...stored, valid: !isOver && !isUsedUp }
  }
}

function discountOf(given: Reader): Pick<Stripe.Coupon, 'amount_off' | 'currency' | 'name' | 'percent_off'> {
  const percent = given.number('percent_off') ?? null
  const amount = given.integer('amount_off') ?? null
  if ((percent === null) === (amount === null))
    throw invalidRequest('You must pass either `percent_off` or `amount_off`.', { param: 'percent_off' })
  if (percent !== null && (percent <= 0 || percent > 100))
    throw invalidRequest('Invalid percent_off; must be greater than 0 and at most 100.', {
      param: 'percent_off',
    })
  if (amount !== null && !given.has('currency')) throw missingParam('currency')
  return {
    amount_off: amount,
    currency: given.text('currency') ?? null,
    name: given.text('name') ?? null,
    percent_off: percent,
  }
}

function durationOf(
  given: Reader,
): Pick<Stripe.Coupon, 'duration' | 'duration_in_months' | 'max_redemptions' | 'redeem_by'> {
  const duration = given.choice('duration', ['once', 'repeating', 'forever']) ?? 'once'
  const months = given.integer('duration_in_months') ?? null
  if ((duration === 'repeating') !== (months !== null))
    throw invalidRequest('`duration_in_months` goes with a duration of `repeating`, and only with it.', {
      param: 'duration_in_months',
    })
  return {
    duration,
    duration_in_months: months,
    max_redemptions: given.integer('max_redemptions') ?? null,
    redeem_by: given.integer('redeem_by') ?? null,
  }
}
