import type Stripe from 'stripe'
import type { World } from '../world.ts'
import { rest, voided } from './invoices.ts'
import { note, notesOf } from './notes.ts'
import { changeSubscription } from './standing.ts'

/** Ends a subscription for good, and stops automatic charges of its invoices. */
export function endSubscription(
  world: World,
  before: Stripe.Subscription,
  reason: Stripe.Subscription.CancellationDetails.Reason,
): Stripe.Subscription {
  const { store, clock } = world
  for (const id of notesOf(store, before.id).invoices) rest(world, store.get<Stripe.Invoice>('invoice', id)!)
  endSchedule(world, before)
  note(store, before.id, { waiting: null })
  return changeSubscription(
    world,
    before,
    {
      ...before,
      canceled_at: before.canceled_at ?? clock.now(),
      cancellation_details: {
        comment: before.cancellation_details?.comment ?? null,
        feedback: before.cancellation_details?.feedback ?? null,
        feedback_option: null,
        reason,
      },
      ended_at: clock.now(),
      pending_setup_intent: null,
      pending_update: null,
      schedule: null,
      status: 'canceled',
    },
    'customer.subscription.deleted',
  )
}

/** Expires a subscription whose first invoice was not paid within 23 hours. */
export function expire(world: World, before: Stripe.Subscription): void {
  const { store, clock } = world
  for (const id of notesOf(store, before.id).invoices) {
    const invoice = store.get<Stripe.Invoice>('invoice', id)!
    if (invoice.status === 'open') voided(world, invoice)
  }
  changeSubscription(world, before, {
    ...before,
    ended_at: clock.now(),
    status: 'incomplete_expired',
  })
}

function endSchedule({ store, clock, emit }: World, of: Stripe.Subscription): void {
  if (typeof of.schedule !== 'string') return
  const schedule = store.get<Stripe.SubscriptionSchedule>('subscription_schedule', of.schedule)!
  const ended: Stripe.SubscriptionSchedule = {
    ...schedule,
    canceled_at: clock.now(),
    current_phase: null,
    status: 'canceled',
  }
  store.put('subscription_schedule', ended)
  emit('subscription_schedule.canceled', ended)
}
