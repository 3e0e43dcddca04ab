import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import type { Clocks } from '../billing/clocks.ts'
import { monthsAfter } from '../calendar.ts'
import { invalidRequest, missingParam, noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { itemOf } from '../objects/subscription.ts'
import { testClock } from '../objects/test-clock.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { serveRest } from './serve-rest.ts'

type Clock = Stripe.TestHelpers.TestClock

export function serveTestClocks(app: FastifyInstance, world: World, clocks: Clocks): void {
  const { store } = world
  const path = '/v1/test_helpers/test_clocks'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const given = new Reader(params, ['frozen_time', 'name'])
      const frozen = given.integer('frozen_time')
      if (frozen === undefined) throw missingParam('frozen_time')
      const made = testClock(world.clock.now(), frozen, given.text('name') ?? null)
      store.put('test_clock', made)
      world.emit('test_helpers.test_clock.created', made)
      return made
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer: ({ params }) => page(new Reader(params, LIST_PARAMS), path, store.all<Clock>('test_clock')),
  })

  serveRest(app, world, { method: 'GET', path: `${path}/:id`, answer: ({ ids }) => find(ids.id!) })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id/advance`,
    answer({ params, ids }) {
      const clock = find(ids.id!)
      const target = new Reader(params, ['frozen_time']).integer('frozen_time')
      if (target === undefined) throw missingParam('frozen_time')
      if (clock.status !== 'ready')
        throw invalidRequest('The test clock is already advancing.', { param: 'frozen_time' })
      if (target <= clock.frozen_time)
        throw invalidRequest('A test clock goes forward only.', { param: 'frozen_time' })
      if (target > farthest(clock))
        throw invalidRequest(
          'A test clock advances by at most two intervals of its shortest subscription at once.',
          { param: 'frozen_time' },
        )
      return clocks.beginAdvance(clock, target)
    },
  })

  function find(id: string): Clock {
    const found = store.get<Clock>('test_clock', id)
    if (!found) throw noSuch('test clock', id)
    return found
  }

  /** Limit of one step: two intervals of the shortest subscription, or two years without a subscription. */
  function farthest(clock: Clock): number {
    const lengths = store
      .all<Stripe.Subscription>('subscription')
      .filter((each) => each.test_clock === clock.id && each.ended_at === null)
      .map((each) => {
        const { interval, interval_count: count } = itemOf(each).price.recurring!
        return count * (interval === 'year' ? 12 : 1)
      })
    return monthsAfter(clock.frozen_time, lengths.length > 0 ? 2 * Math.min(...lengths) : 24)
  }
}
