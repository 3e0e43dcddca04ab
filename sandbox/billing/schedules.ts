import type Stripe from 'stripe'
import { invalidRequest } from '../errors.ts'
import { phase, schedule } from '../objects/schedule.ts'
import { itemOf, periodOf } from '../objects/subscription.ts'
import type { World } from '../world.ts'
import { idsOf } from './discounts.ts'
import { changeSubscription } from './standing.ts'
import { idOf } from '../objects/id.ts'

type Schedule = Stripe.SubscriptionSchedule

export function scheduleOf({ store }: World, of: Stripe.Subscription): Schedule | undefined {
  return typeof of.schedule === 'string'
    ? store.get<Schedule>('subscription_schedule', of.schedule)
    : undefined
}

export function beginSchedule(world: World, of: Stripe.Subscription): Schedule {
  if (of.schedule || of.ended_at !== null)
    throw invalidRequest(
      'You cannot migrate a subscription that is already attached to a schedule, or over.',
      {
        param: 'from_subscription',
      },
    )
  if (of.cancel_at_period_end || of.cancel_at !== null)
    throw invalidRequest('The subscription is set to be cancelled.', { param: 'from_subscription' })
  const made = schedule(world.clock.now(), of)
  world.store.put('subscription_schedule', made)
  world.emit('subscription_schedule.created', made)
  changeSubscription(world, of, { ...of, schedule: made.id })
  return made
}

export interface NewPhase {
  readonly price: string
  readonly start: number
  readonly end: number
  /** The subscription's discounts that are not listed here end when the phase begins. */
  readonly discounts: readonly string[]
}

/** Sets the phases after the current period. The sandbox changes prices only at a period's end, without proration. */
export function setPhases(world: World, before: Schedule, phases: readonly NewPhase[]): Schedule {
  demandActive(before)
  const of = world.store.get<Stripe.Subscription>('subscription', idOf(before.subscription))!
  const [current, ...later] = phases
  const { start, end } = periodOf(of)
  if (current?.price !== itemOf(of).price.id || current.start !== start || current.end !== end)
    throw invalidRequest('The first phase must be the period under way, as it is.', { param: 'phases' })
  if (later.some((each, index) => each.start !== phases[index]!.end))
    throw invalidRequest('Each phase must begin where the one before it ends.', { param: 'phases' })
  const after: Schedule = {
    ...before,
    phases: phases.map((each) => phase({ ...each, trialEnd: null, prorates: false })),
    current_phase: { start_date: start, end_date: end },
  }
  world.store.put('subscription_schedule', after)
  world.emit('subscription_schedule.updated', after)
  changeSubscription(world, of, { ...of, discounts: [...current.discounts] })
  return after
}

export function releaseSchedule(world: World, before: Schedule): Schedule {
  demandActive(before)
  const { store, clock } = world
  const of = store.get<Stripe.Subscription>('subscription', idOf(before.subscription))!
  const released: Schedule = {
    ...before,
    current_phase: null,
    released_at: clock.now(),
    released_subscription: of.id,
    status: 'released',
    subscription: null,
  }
  store.put('subscription_schedule', released)
  world.emit('subscription_schedule.released', released)
  changeSubscription(world, of, { ...of, schedule: null })
  return released
}

/** At the end of a period: the price of the next phase. Without a next phase, the schedule is released. */
export function enterPhase(world: World, of: Stripe.Subscription): Stripe.Price {
  const { store } = world
  const now = itemOf(of).price
  const own = scheduleOf(world, of)
  if (!own) return now
  const at = periodOf(of).end
  const next = own.phases.find(({ start_date: start, end_date: end }) => start <= at && at < end)
  if (!next) {
    releaseSchedule(world, own)
    return now
  }
  const after: Schedule = { ...own, current_phase: { start_date: next.start_date, end_date: next.end_date } }
  store.put('subscription_schedule', after)
  world.emit('subscription_schedule.updated', after)
  const kept = next.discounts.flatMap(({ discount }) => (typeof discount === 'string' ? discount : []))
  changeSubscription(world, of, { ...of, discounts: idsOf(of).filter((id) => kept.includes(id)) })
  return store.get<Stripe.Price>('price', idOf(next.items[0]!.price)) ?? now
}

function demandActive({ id, status }: Schedule): void {
  if (status !== 'active')
    throw invalidRequest(`You cannot change the schedule ${id}: it is ${status}.`, {
      code: 'invalid_subscription_schedule',
    })
}
