import type { FastifyInstance } from 'fastify'
import type Stripe from 'stripe'
import { endSubscription } from '../billing/ending.ts'
import { customerOf, worldOf } from '../billing/moment.ts'
import { beginSchedule, type NewPhase, releaseSchedule, setPhases } from '../billing/schedules.ts'
import { after } from '../calendar.ts'
import { invalidRequest, missingParam, noSuch } from '../errors.ts'
import { LIST_PARAMS, page } from '../lists.ts'
import { Reader } from '../params.ts'
import type { World } from '../world.ts'
import { serveRest } from './serve-rest.ts'
import { findPrice } from './prices.ts'
import { findSubscription } from './subscriptions.ts'

const PHASE = ['items', 'start_date', 'end_date', 'duration', 'proration_behavior', 'trial_end', 'discounts']

export function serveSchedules(app: FastifyInstance, world: World): void {
  const { store } = world
  const path = '/v1/subscription_schedules'

  serveRest(app, world, {
    method: 'POST',
    path,
    answer({ params }) {
      const of = findSubscription(
        world,
        new Reader(params, ['from_subscription']).demandText('from_subscription'),
      )
      return beginSchedule(worldOf(world, customerOf(of)), of)
    },
  })

  serveRest(app, world, {
    method: 'GET',
    path,
    answer({ params }) {
      const given = new Reader(params, [...LIST_PARAMS, 'customer'])
      const customer = given.text('customer')
      const all = store.where<Stripe.SubscriptionSchedule>('subscription_schedule', { customer })
      return page(given, path, all)
    },
  })

  serveRest(app, world, { method: 'GET', path: `${path}/:id`, answer: ({ ids }) => find(ids.id!) })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id`,
    answer({ params, ids }) {
      const given = new Reader(params, ['end_behavior', 'phases', 'proration_behavior', 'metadata'])
      const before = find(ids.id!)
      if (given.choice('end_behavior', ['release', 'cancel']) === 'cancel')
        throw invalidRequest('The sandbox knows schedules that end with a release.', {
          param: 'end_behavior',
        })
      const at = worldOf(world, customerOf(before))
      const phases = phasesOf(at, given)
      const noted = { ...before, metadata: given.metadata(before.metadata ?? {}) }
      return phases.length > 0 ? setPhases(at, noted, phases) : noted
    },
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id/release`,
    answer({ ids }) {
      const before = find(ids.id!)
      return releaseSchedule(worldOf(world, customerOf(before)), before)
    },
  })

  serveRest(app, world, {
    method: 'POST',
    path: `${path}/:id/cancel`,
    answer({ ids }) {
      const before = find(ids.id!)
      if (typeof before.subscription !== 'string')
        throw invalidRequest('You cannot cancel a schedule that is over.', {
          code: 'invalid_subscription_schedule',
        })
      // At Stripe this also cancels the subscription.
      const of = findSubscription(world, before.subscription)
      endSubscription(worldOf(world, customerOf(before)), of, 'cancellation_requested')
      return find(before.id)
    },
  })

  function find(id: string): Stripe.SubscriptionSchedule {
    const found = store.get<Stripe.SubscriptionSchedule>('subscription_schedule', id)
    if (!found) throw noSuch('subscription_schedule', id, 'schedule')
    return found
  }
}

function phasesOf(world: World, given: Reader): NewPhase[] {
  const phases: NewPhase[] = []
  for (const each of given.each('phases', PHASE)) {
    const [item] = each.each('items', ['price', 'quantity'])
    if (!item) throw missingParam('phases[items]')
    const price = findPrice(world, item.demandText('price'), 'phases[items][price]').id
    const start = each.integer('start_date') ?? phases.at(-1)?.end
    if (start === undefined) throw missingParam('phases[0][start_date]')
    const duration = each.nested('duration', ['interval', 'interval_count'])
    const end =
      each.integer('end_date') ??
      (duration
        ? after(
            start,
            {
              interval: duration.demandText('interval'),
              interval_count: duration.integer('interval_count') ?? 1,
            },
            1,
          )
        : undefined)
    if (end === undefined) throw missingParam('phases[end_date]')
    const discounts = each.each('discounts', ['discount']).map((one) => one.demandText('discount'))
    phases.push({ price, start, end, discounts })
  }
  return phases
}
