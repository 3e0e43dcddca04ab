import type Stripe from 'stripe'
import { DAY } from '../calendar.ts'
import { subscriptionOf } from '../objects/invoice.ts'
import { confirmIntent } from '../pay.ts'
import type { Store } from '../store.ts'
import type { World } from '../world.ts'
import { accountOf } from './account.ts'
import { endSubscription } from './ending.ts'
import { finalise, intentOf, rest } from './invoices.ts'
import { customerOf } from './moment.ts'
import { type Dunning, notesOf } from './notes.ts'
import { changeSubscription, invoiceUnpaid, ofInvoice } from './standing.ts'

export function methodOf(store: Store, invoice: Stripe.Invoice): Stripe.PaymentMethod | undefined {
  const subscription = subscriptionOf(invoice)
  const own = subscription && store.get<Stripe.Subscription>('subscription', subscription)
  const customer = store.get<Stripe.Customer>('customer', customerOf(invoice) ?? '')
  const id = (own && own.default_payment_method) ?? customer?.invoice_settings.default_payment_method
  const method = typeof id === 'string' ? store.get<Stripe.PaymentMethod>('payment_method', id) : undefined
  return method?.customer ? method : undefined
}

/** Charges an invoice off-session. Events and the returned invoice show the bank's answer. */
export function attempt(
  world: World,
  invoice: Stripe.Invoice,
  method: Stripe.PaymentMethod | undefined = methodOf(world.store, invoice),
): Stripe.Invoice {
  const { store } = world
  const intent = intentOf(store, invoice.id)
  if (!intent || invoice.status !== 'open') return invoice
  if (!method) return failed(world, invoice, null)
  const confirmed = confirmIntent(world, intent, method, {
    returnUrl: null,
    byScript: true,
    offSession: method.type !== 'card',
  })
  const after = store.get<Stripe.Invoice>('invoice', invoice.id)!
  if (confirmed.status !== 'requires_action') return after
  world.emit('invoice.payment_action_required', after)
  return failed(world, after, null)
}

export function finaliseAndCharge(world: World, draft: Stripe.Invoice): void {
  const open = finalise(world, draft)
  if (open.status === 'open') attempt(world, open)
}

const FOR_GOOD: readonly string[] = ['lost_card', 'stolen_card', 'pickup_card']

export function failed(
  world: World,
  invoice: Stripe.Invoice,
  intent: Stripe.PaymentIntent | null,
): Stripe.Invoice {
  const { store, clock } = world
  if (invoice.status !== 'open') return invoice
  const error = intent?.last_payment_error
  const hopeless = FOR_GOOD.includes(error?.decline_code ?? '') ? (error?.payment_method?.id ?? null) : null
  const known = store.get<Dunning>('dunning', invoice.id)
  const dunning: Dunning | undefined = known
    ? { ...known, hopeless }
    : isTriedAgain(store, invoice)
      ? { id: invoice.id, failedAt: clock.now(), next: 0, hopeless }
      : undefined
  if (dunning) store.put('dunning', dunning)
  const after: Stripe.Invoice = {
    ...invoice,
    attempt_count: invoice.attempt_count + 1,
    attempted: true,
    next_payment_attempt: dunning && !hopeless ? retryAt(store, dunning) : null,
  }
  store.put('invoice', after)
  world.emit('invoice.payment_failed', after)
  invoiceUnpaid(world, after)
  return after
}

/** False for the first invoice of a subscription and for the invoice of a pending change: both wait for the buyer. */
function isTriedAgain(store: Store, invoice: Stripe.Invoice): boolean {
  const subscription = subscriptionOf(invoice)
  return (
    subscription !== null &&
    invoice.auto_advance === true &&
    invoice.billing_reason !== 'subscription_create' &&
    notesOf(store, subscription).waiting?.invoice !== invoice.id
  )
}

export function retryAt(store: Store, { failedAt, next }: Dunning): number | null {
  const days = accountOf(store).retries[next]
  return days === undefined ? null : failedAt + days * DAY
}

/** Retries the charge. After the last retry the account's `finalAction` applies. */
export function retry(world: World, invoice: Stripe.Invoice): void {
  const { store } = world
  const before = store.get<Dunning>('dunning', invoice.id)
  if (!before) return
  const dunning = { ...before, next: before.next + 1 }
  store.put('dunning', dunning)
  const method = methodOf(store, invoice)
  if (!method || method.id !== dunning.hopeless) attempt(world, invoice, method)
  const after = store.get<Stripe.Invoice>('invoice', invoice.id)!
  if (after.status === 'open' && retryAt(store, dunning) === null) giveUp(world, after)
}

function giveUp(world: World, invoice: Stripe.Invoice): void {
  const owner = ofInvoice(world, invoice)
  rest(world, invoice)
  if (!owner || owner.ended_at !== null) return
  switch (accountOf(world.store).finalAction) {
    case 'cancel':
      endSubscription(world, owner, 'payment_failed')
      return
    case 'unpaid':
      changeSubscription(world, owner, { ...owner, status: 'unpaid' })
      return
    case 'pause':
      changeSubscription(world, owner, {
        ...owner,
        status: 'paused',
        status_details: {
          paused: {
            subscription: { type: 'final_payment_failure' },
            transitioned_at: world.clock.now(),
            type: 'subscription',
          },
        },
      })
      return
    default:
  }
}
