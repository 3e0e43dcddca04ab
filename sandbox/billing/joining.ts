import type Stripe from 'stripe'
import { periodEnd } from '../calendar.ts'
import { invoice, type Sum } from '../objects/invoice.ts'
import { setupIntent } from '../objects/setup-intent.ts'
import { subscription } from '../objects/subscription.ts'
import { newId, type World } from '../world.ts'
import { attempt } from './charging.ts'
import { give, heldAt, remaining, type Wished } from './discounts.ts'
import { finalise, keepDraft } from './invoices.ts'
import { periodSum, trialSum } from './lines.ts'
import { note } from './notes.ts'
import { changeSubscription } from './standing.ts'
import { idOf } from '../objects/id.ts'

export interface Joining {
  readonly customer: Stripe.Customer
  readonly price: Stripe.Price
  readonly trialEnd: number | null
  readonly missingMethod: string
  readonly method: string | null
  readonly methodTypes: string[] | null
  readonly saves: boolean
  /** True: charge the stored payment method; false: wait for the buyer. */
  readonly charges: boolean
  readonly discounts: readonly Wished[]
  readonly description: string | null
  readonly metadata: Record<string, string>
}

export function join(world: World, wish: Joining): Stripe.Subscription {
  const { store, clock } = world
  const { customer, price, trialEnd } = wish
  const now = clock.now()
  const anchor = trialEnd ?? now
  const period = { start: now, end: trialEnd ?? periodEnd(anchor, price.recurring!, now) }
  const clockId = typeof customer.test_clock === 'string' ? customer.test_clock : null
  const made = subscription(now, { ...wish, customer: customer.id, anchor, period, clock: clockId })
  const discounts = give(world, { customer: customer.id, subscription: made.id }, wish.discounts)
  const begun: Stripe.Subscription = { ...made, discounts }
  store.put('subscription', begun)
  note(store, begun.id, { scope: clockId })
  world.emit('customer.subscription.created', begun)

  const sum =
    trialEnd === null
      ? periodSum(store, heldAt(store, begun, now), { price, period })
      : trialSum(store, price, period)
  const draft = invoice(now, {
    customer,
    subscription: begun,
    sums: [sum],
    reason: 'subscription_create',
    period: { start: now, end: now },
    finalizesAt: null,
  })
  const open = finalise(world, keepDraft(world, draft))
  if (open.status === 'open' && wish.charges) attempt(world, open)
  const kept = store.get<Stripe.Subscription>('subscription', begun.id)!
  return changeSubscription(world, kept, {
    ...kept,
    discounts: remaining(world, kept, usedBy([sum])),
    pending_setup_intent: open.amount_due === 0 && wish.method === null ? askForMethod(world, kept) : null,
  })
}

export const usedBy = (sums: readonly Sum[]): string[] =>
  sums.flatMap(({ cuts }) => cuts.filter(({ amount }) => amount > 0).map(({ discount }) => discount))

/** Nothing is due yet, so request a payment method for later charges. */
function askForMethod(world: World, of: Stripe.Subscription): string {
  const made = setupIntent({
    created: world.clock.now(),
    customer: idOf(of.customer),
    description: null,
    metadata: {},
    allowedTypes: null,
    usage: 'off_session',
  })
  world.store.put('setup_intent', made)
  world.store.put('pending-setup', { id: made.id, subscription: of.id })
  world.emit('setup_intent.created', made)
  return made.id
}

export function setUpDone(world: World, intent: Stripe.SetupIntent): void {
  const pending = world.store.get<{ id: string; subscription: string }>('pending-setup', intent.id)
  const before = pending && world.store.get<Stripe.Subscription>('subscription', pending.subscription)
  if (before) changeSubscription(world, before, { ...before, pending_setup_intent: null })
}

export function previewJoin(
  world: World,
  wish: Pick<Joining, 'customer' | 'discounts' | 'price' | 'trialEnd'>,
): Stripe.Invoice {
  const { store, clock } = world
  const now = clock.now()
  const { customer, price, trialEnd } = wish
  const period = { start: now, end: trialEnd ?? periodEnd(now, price.recurring!, now) }
  const held = wish.discounts.map(({ coupon }) => ({ id: newId('di'), coupon }))
  const sum = trialEnd === null ? periodSum(store, held, { price, period }) : trialSum(store, price, period)
  return invoice(now, {
    customer,
    subscription: null,
    sums: [sum],
    reason: 'upcoming',
    period,
    finalizesAt: null,
    isPreview: true,
  })
}
