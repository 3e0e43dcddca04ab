import type Stripe from 'stripe'
import type { Store } from '../store.ts'
import type { World } from '../world.ts'

/** The id of a test clock, or null for the sandbox's own clock. */
export type Scope = string | null

export function scopeOf(store: Store, customer: string | null): Scope {
  const clock = customer ? store.get<Stripe.Customer>('customer', customer)?.test_clock : null
  return typeof clock === 'string' ? clock : null
}

export const worldOf = (world: World, customer: string | null): World =>
  worldAt(world, scopeOf(world.store, customer))

export function worldAt(world: World, scope: Scope): World {
  if (scope === null) return world
  const now = () => world.store.get<Stripe.TestHelpers.TestClock>('test_clock', scope)!.frozen_time
  return { ...world, clock: { ...world.clock, now } }
}

export const customerOf = (holder: {
  readonly customer: string | Stripe.Customer | Stripe.DeletedCustomer | null
}): string | null => (typeof holder.customer === 'string' ? holder.customer : (holder.customer?.id ?? null))
