import type Stripe from 'stripe'
import { invalidRequest } from '../errors.ts'
import { dueOf, invoicePayment, subscriptionOf } from '../objects/invoice.ts'
import { paymentIntent } from '../objects/payment-intent.ts'
import { cancelIntent } from '../pay.ts'
import type { Store } from '../store.ts'
import { randomText, type World } from '../world.ts'
import { customerOf } from './moment.ts'
import { note, notesOf } from './notes.ts'
import { changeSubscription, dropWaiting, invoicePaid, ofInvoice } from './standing.ts'

interface Pair {
  readonly id: string
  readonly other: string
}

export const intentOf = (store: Store, invoice: string): Stripe.PaymentIntent | undefined => {
  const pair = store.get<Pair>('invoice-intent', invoice)
  return pair && store.get<Stripe.PaymentIntent>('payment_intent', pair.other)
}

export const invoiceOfIntent = (store: Store, intent: string): Stripe.Invoice | undefined => {
  const pair = store.get<Pair>('intent-invoice', intent)
  return pair && store.get<Stripe.Invoice>('invoice', pair.other)
}

export const recordOf = (store: Store, invoice: string): Stripe.InvoicePayment | undefined => {
  const pair = store.get<Pair>('invoice-record', invoice)
  return pair && store.get<Stripe.InvoicePayment>('invoice_payment', pair.other)
}

export function keepDraft(world: World, invoice: Stripe.Invoice): Stripe.Invoice {
  world.store.put('invoice', invoice)
  const subscription = subscriptionOf(invoice)
  if (subscription)
    note(world.store, subscription, {
      invoices: [...notesOf(world.store, subscription).invoices, invoice.id],
    })
  world.emit('invoice.created', invoice)
  const owner = ofInvoice(world, invoice)
  if (owner) changeSubscription(world, owner, { ...owner, latest_invoice: invoice.id })
  return invoice
}

/** Makes a draft payable. An invoice with nothing due becomes paid at once. */
export function finalise(world: World, draft: Stripe.Invoice): Stripe.Invoice {
  const { store, clock } = world
  if (draft.status !== 'draft') return draft
  const customer = store.get<Stripe.Customer>('customer', customerOf(draft) ?? '')!
  const due = dueOf(draft.total, customer.balance)
  const count = customer.next_invoice_sequence ?? 1
  store.put('customer', { ...customer, balance: due.ending_balance ?? 0, next_invoice_sequence: count + 1 })
  const open: Stripe.Invoice = {
    ...draft,
    ...due,
    automatically_finalizes_at: null,
    effective_at: clock.now(),
    hosted_invoice_url: `${world.origin()}/invoice/${draft.id}?key=${randomText(32)}`,
    next_payment_attempt: null,
    number: `${customer.invoice_prefix}-${String(count).padStart(4, '0')}`,
    starting_balance: customer.balance,
    status: 'open',
    status_transitions: { ...draft.status_transitions, finalized_at: clock.now() },
  }
  store.put('invoice', open)
  world.emit('invoice.finalized', open)
  if (open.amount_due === 0) return paid(world, open, null)
  const intent = paymentIntent({
    amount: open.amount_due,
    currency: 'gbp',
    created: clock.now(),
    customer: customer.id,
    description:
      open.billing_reason === 'subscription_create' ? 'Subscription creation' : 'Subscription update',
    metadata: {},
    allowedTypes: null,
    automatic: false,
    receiptEmail: null,
    futureUsage: 'off_session',
  })
  const record = invoicePayment(clock.now(), open, intent.id)
  store.put('payment_intent', intent)
  store.put('invoice_payment', record)
  store.put<Pair>('invoice-intent', { id: open.id, other: intent.id })
  store.put<Pair>('intent-invoice', { id: intent.id, other: open.id })
  store.put<Pair>('invoice-record', { id: open.id, other: record.id })
  world.emit('payment_intent.created', intent)
  return open
}

/** `intent` is null if nothing was due. */
export function paid(
  world: World,
  open: Stripe.Invoice,
  intent: Stripe.PaymentIntent | null,
): Stripe.Invoice {
  const { store, clock } = world
  if (open.status !== 'open' && open.status !== 'uncollectible') return open
  const done: Stripe.Invoice = {
    ...open,
    amount_paid: open.amount_due,
    amount_remaining: 0,
    attempted: true,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'paid',
    status_transitions: { ...open.status_transitions, paid_at: clock.now() },
  }
  store.put('invoice', done)
  settleRecord(world, done, 'paid')
  leaveAgenda(world, done)
  world.emit('invoice.paid', done)
  world.emit('invoice.payment_succeeded', done)
  invoicePaid(world, done, typeof intent?.payment_method === 'string' ? intent.payment_method : null)
  return done
}

export function voided(world: World, open: Stripe.Invoice): Stripe.Invoice {
  const { store, clock } = world
  if (open.status !== 'open' && open.status !== 'uncollectible')
    throw invalidRequest(`You can only void open or uncollectible invoices; this one is ${open.status}.`, {
      code: 'invoice_not_editable',
    })
  const done: Stripe.Invoice = {
    ...open,
    auto_advance: false,
    next_payment_attempt: null,
    status: 'void',
    status_transitions: { ...open.status_transitions, voided_at: clock.now() },
  }
  store.put('invoice', done)
  giveCarriedBack(world, open)
  const intent = intentOf(store, open.id)
  if (intent && intent.status !== 'canceled') cancelIntent(world, intent, 'void_invoice')
  settleRecord(world, done, 'canceled')
  leaveAgenda(world, done)
  const subscription = subscriptionOf(done)
  if (subscription && notesOf(store, subscription).waiting?.invoice === done.id)
    dropWaiting(world, subscription)
  world.emit('invoice.voided', done)
  return done
}

function giveCarriedBack({ store }: World, invoice: Stripe.Invoice): void {
  const customer = store.get<Stripe.Customer>('customer', customerOf(invoice) ?? '')
  if (!customer) return
  const used = invoice.starting_balance - (invoice.ending_balance ?? 0)
  store.put('customer', { ...customer, balance: customer.balance + used })
}

/** Stops automatic charges of an invoice; it can still be paid manually. */
export function rest(world: World, invoice: Stripe.Invoice): Stripe.Invoice {
  const resting: Stripe.Invoice = {
    ...invoice,
    auto_advance: false,
    automatically_finalizes_at: null,
    next_payment_attempt: null,
  }
  world.store.put('invoice', resting)
  leaveAgenda(world, resting)
  world.emit('invoice.updated', resting)
  return resting
}

function settleRecord(
  { store, clock, emit }: World,
  invoice: Stripe.Invoice,
  status: 'paid' | 'canceled',
): void {
  const record = recordOf(store, invoice.id)
  if (!record) return
  const isPaid = status === 'paid'
  const settled: Stripe.InvoicePayment = {
    ...record,
    amount_paid: isPaid ? invoice.amount_paid : null,
    status,
    status_transitions: {
      canceled_at: isPaid ? null : clock.now(),
      paid_at: isPaid ? clock.now() : null,
    },
  }
  store.put('invoice_payment', settled)
  if (isPaid) emit('invoice_payment.paid', settled)
}

function leaveAgenda({ store }: World, invoice: Stripe.Invoice): void {
  store.remove('dunning', invoice.id)
  const subscription = subscriptionOf(invoice)
  if (!subscription) return
  const left = notesOf(store, subscription).invoices.filter((id) => id !== invoice.id)
  note(store, subscription, { invoices: left })
}
