import type Stripe from 'stripe'
import { subscriptionOf } from '../objects/invoice.ts'
import { withItem } from '../objects/subscription.ts'
import type { World } from '../world.ts'
import { note, notesOf } from './notes.ts'

export function changeSubscription(
  { store, emit }: World,
  before: Stripe.Subscription,
  after: Stripe.Subscription,
  type: Stripe.Event.Type = 'customer.subscription.updated',
): Stripe.Subscription {
  const were: Readonly<Record<string, unknown>> = { ...before }
  const are: Readonly<Record<string, unknown>> = { ...after }
  const different = Object.keys({ ...were, ...are }).filter(
    (name) => JSON.stringify(were[name]) !== JSON.stringify(are[name]),
  )
  if (different.length === 0) return before
  store.put('subscription', after)
  const previous = Object.fromEntries(different.map((name) => [name, were[name]]))
  emit(type, after, type === 'customer.subscription.updated' ? previous : undefined)
  return after
}

export const ofInvoice = ({ store }: World, invoice: Stripe.Invoice): Stripe.Subscription | undefined => {
  const id = subscriptionOf(invoice)
  return id ? store.get<Stripe.Subscription>('subscription', id) : undefined
}

const MENDED: readonly string[] = ['incomplete', 'past_due', 'unpaid', 'paused']

export function invoicePaid(world: World, invoice: Stripe.Invoice, method: string | null): void {
  const before = ofInvoice(world, invoice)
  if (!before || before.ended_at !== null) return
  const isLatest = before.latest_invoice === invoice.id
  const saves = method !== null && before.payment_settings?.save_default_payment_method === 'on_subscription'
  const paid: Stripe.Subscription = { ...before, ...(saves ? { default_payment_method: method } : {}) }
  if (isLatest && MENDED.includes(before.status)) {
    paid.status = 'active'
    delete paid.status_details
  }
  const { waiting } = notesOf(world.store, before.id)
  const applies = waiting?.invoice === invoice.id
  const after = applies ? { ...withItem(paid, { price: waiting.price }), pending_update: null } : paid
  if (applies) note(world.store, before.id, { waiting: null })
  const kept = changeSubscription(world, before, after)
  if (applies) world.emit('customer.subscription.pending_update_applied', kept)
}

export function invoiceUnpaid(world: World, invoice: Stripe.Invoice): void {
  const before = ofInvoice(world, invoice)
  const { waiting } = before ? notesOf(world.store, before.id) : { waiting: null }
  if (!before || before.status !== 'active' || waiting?.invoice === invoice.id) return
  changeSubscription(world, before, { ...before, status: 'past_due' })
}

export function dropWaiting(world: World, subscription: string): void {
  const before = world.store.get<Stripe.Subscription>('subscription', subscription)
  if (!before?.pending_update) return
  note(world.store, subscription, { waiting: null })
  changeSubscription(world, before, { ...before, pending_update: null })
}
