import type Stripe from 'stripe'
import { type Period, periodEnd } from '../calendar.ts'
import { invalidRequest } from '../errors.ts'
import { agree, attach, findMethod, hiddenOf, markSetUp, paypalPayer } from '../methods.ts'
import { idOf } from '../objects/id.ts'
import { invoice, OF_SUBSCRIPTION } from '../objects/invoice.ts'
import { coupon, customer } from '../objects/others.ts'
import { noBilling, paypalMethod, type Wish } from '../objects/payment-method.ts'
import { itemOf, periodOf, subscription } from '../objects/subscription.ts'
import type { World } from '../world.ts'
import { liveOn } from './agenda.ts'
import { finaliseAndCharge } from './charging.ts'
import { give, heldAt } from './discounts.ts'
import { keepDraft } from './invoices.ts'
import { periodSum } from './lines.ts'
import { note } from './notes.ts'
import { previewRenewal } from './renewing.ts'

/** A subscription with a past start date. Stripe's API cannot create one. Times are Unix seconds. */
export interface Past {
  readonly email: string
  readonly name: string
  /** `subscription` identifies it: a repeated call returns the same subscription. */
  readonly metadata: Readonly<Record<string, string>>
  readonly lookupKey: string
  readonly method: 'card' | 'paypal'
  readonly startedAt: number
  /** Start of the current period. If that period has ended since, it is renewed at its end. */
  readonly periodStart: number
  /** Given if the period is not a whole billing interval. */
  readonly periodEnd?: number
  readonly isTrial: boolean
  readonly canceledAt?: number
  /** The bank's answer to charges since the current period began. */
  readonly bank?: Wish
  readonly discount?: { readonly coupon: string; readonly percent: number; readonly months: number | null }
}

export interface Begun {
  readonly subscription: Stripe.Subscription
  /** The amount of the next renewal in pence; null if nothing renews. */
  readonly next: number | null
  /** The paid invoices, oldest first. */
  readonly paid: readonly Stripe.Invoice[]
}

/**
 * Creates the subscription and runs its past until now, at the original times and without events. Earlier periods are
 * as long as the current one, and are paid.
 */
export function beginLongAgo(world: World, past: Past): Begun {
  const { store } = world
  const named = { 'metadata.subscription': past.metadata.subscription }
  const [known] = store.where<Stripe.Subscription>('subscription', named)
  const of = known ?? begin(world, past)
  const renews = (of.status === 'active' || of.status === 'trialing') && of.cancel_at === null
  const paid = store.where<Stripe.Invoice>('invoice', { [OF_SUBSCRIPTION]: of.id, status: 'paid' })
  return { subscription: of, next: renews ? previewRenewal(world, of).total : null, paid }
}

function begin(world: World, past: Past): Stripe.Subscription {
  const { store } = world
  let moment = past.startedAt
  const then: World = { ...world, emit: () => undefined, clock: { ...world.clock, now: () => moment } }
  const [price] = store.where<Stripe.Price>('price', { lookup_key: past.lookupKey })
  if (!price) throw invalidRequest(`No such price: ${past.lookupKey}`)
  const payer = payerOf(then, past)
  const end = past.periodEnd ?? periodEnd(past.periodStart, price.recurring!, past.periodStart)
  const begun: Stripe.Subscription = {
    ...subscription(moment, {
      customer: payer.customer,
      price,
      // A period that is not a whole billing interval is anchored at its end.
      anchor: past.periodEnd ?? past.periodStart,
      period: { start: past.periodStart, end },
      trialEnd: past.isTrial ? end : null,
      missingMethod: 'cancel',
      method: payer.method,
      methodTypes: ['card', 'paypal'],
      saves: true,
      description: null,
      metadata: past.metadata,
      clock: null,
    }),
    status: past.isTrial ? 'trialing' : 'active',
  }
  const held = past.discount ? [{ coupon: couponOf(then, past.discount), code: null }] : []
  store.put('subscription', {
    ...begun,
    discounts: give(then, { customer: payer.customer, subscription: begun.id }, held),
    ...(past.canceledAt === undefined
      ? {}
      : {
          cancel_at: periodOf(begun).end,
          cancel_at_period_end: true,
          canceled_at: past.canceledAt,
          cancellation_details: {
            comment: null,
            feedback: null,
            feedback_option: null,
            reason: 'cancellation_requested',
          },
        }),
  } satisfies Stripe.Subscription)
  note(store, begun.id, { scope: null })
  if (!past.isTrial)
    for (const period of periodsSince(past.startedAt, { start: past.periodStart, end })) {
      moment = period.start
      charge(then, begun.id, period)
    }
  if (past.bank) store.put('hidden', { ...hiddenOf(world, payer.method), wish: past.bank })
  liveOn(then, begun.id, world.clock.now(), (at) => {
    moment = Math.max(moment, at)
  })
  return store.get<Stripe.Subscription>('subscription', begun.id)!
}

/** The periods since the beginning, oldest first, each as long as the current one. */
function periodsSince(begins: number, current: Period): Period[] {
  const length = current.end - current.start
  const before = Math.max(0, Math.round((current.start - begins) / length))
  return Array.from({ length: before + 1 }, (_, place) => {
    const start = current.start - (before - place) * length
    return { start, end: start + length }
  })
}

function charge(then: World, id: string, period: Period): void {
  const { store } = then
  const of = store.get<Stripe.Subscription>('subscription', id)!
  const { price } = itemOf(of)
  const draft = invoice(period.start, {
    customer: store.get<Stripe.Customer>('customer', idOf(of.customer))!,
    subscription: of,
    sums: [periodSum(store, heldAt(store, of, period.start), { price, period })],
    reason: period.start <= of.created ? 'subscription_create' : 'subscription_cycle',
    period: { start: period.start, end: period.start },
    finalizesAt: null,
  })
  finaliseAndCharge(then, keepDraft(then, draft))
}

function payerOf(then: World, { email, name, metadata, method: kind }: Past) {
  const { store } = then
  const made = customer(then.clock.now(), {
    email,
    name,
    metadata: { ...metadata },
    phone: null,
    description: null,
    testClock: null,
  })
  store.put('customer', made)
  const wished =
    kind === 'card'
      ? findMethod(then, 'pm_card_visa')
      : paypalPayer(paypalMethod(then.clock.now(), { ...noBilling, email, name }))
  const method = attach(then, wished, made.id)
  store.put('hidden', { ...hiddenOf(then, method.id) })
  markSetUp(then, method.id)
  agree(then, method)
  const settings = { ...made.invoice_settings, default_payment_method: method.id }
  store.put('customer', { ...made, invoice_settings: settings })
  return { customer: made.id, method: method.id }
}

function couponOf(
  { store, clock }: World,
  { coupon: id, percent, months }: NonNullable<Past['discount']>,
): Stripe.Coupon {
  const known = store.get<Stripe.Coupon>('coupon', id)
  if (known) return known
  const made = coupon(clock.now(), {
    id,
    percent_off: percent,
    amount_off: null,
    currency: null,
    name: null,
    duration: months === null ? 'forever' : 'repeating',
    duration_in_months: months,
    max_redemptions: null,
    redeem_by: null,
    metadata: {},
  })
  store.put('coupon', made)
  return made
}
