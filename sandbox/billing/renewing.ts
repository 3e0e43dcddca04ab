import type Stripe from 'stripe'
import { periodEnd } from '../calendar.ts'
import { invoice } from '../objects/invoice.ts'
import { itemOf, periodOf, withItem } from '../objects/subscription.ts'
import type { World } from '../world.ts'
import { accountOf } from './account.ts'
import { heldAt, remaining } from './discounts.ts'
import { endSubscription } from './ending.ts'
import { keepDraft } from './invoices.ts'
import { usedBy } from './joining.ts'
import { periodSum } from './lines.ts'
import { enterPhase } from './schedules.ts'
import { changeSubscription } from './standing.ts'
import { idOf } from '../objects/id.ts'

/** At the end of a period or trial: begins and invoices the next period, or ends the subscription. */
export function renew(world: World, before: Stripe.Subscription): void {
  const { store, clock } = world
  const at = periodOf(before).end
  if (before.cancel_at_period_end || (before.cancel_at !== null && before.cancel_at <= at)) {
    endSubscription(world, before, 'cancellation_requested')
    return
  }
  if (before.status === 'trialing' && !hasMethod(world, before)) {
    const behavior = before.trial_settings?.end_behavior.missing_payment_method
    if (behavior === 'cancel') {
      endSubscription(world, before, 'payment_failed')
      return
    }
    if (behavior === 'pause') {
      changeSubscription(world, before, { ...before, status: 'paused' })
      return
    }
  }
  const price = enterPhase(world, before)
  const current = store.get<Stripe.Subscription>('subscription', before.id)!
  const next = nextPeriod(current, price)
  const renewed = changeSubscription(world, current, {
    ...withItem(current, { price, period: next.period }),
    billing_cycle_anchor: next.anchor,
    status: current.status === 'trialing' ? 'active' : current.status,
  })
  if (renewed.status === 'unpaid') return
  const sum = periodSum(store, heldAt(store, renewed, at), { price, period: next.period })
  const draft = keepDraft(
    world,
    invoice(clock.now(), {
      customer: store.get<Stripe.Customer>('customer', idOf(renewed.customer))!,
      subscription: renewed,
      sums: [sum],
      reason: 'subscription_cycle',
      period: periodOf(before),
      finalizesAt: clock.now() + accountOf(store).draftSeconds,
    }),
  )
  const billed = store.get<Stripe.Subscription>('subscription', before.id)!
  changeSubscription(world, billed, {
    ...billed,
    latest_invoice: draft.id,
    discounts: remaining(world, billed, usedBy([sum])),
  })
}

/** A new billing interval counts from now; an unchanged one from its anchor. */
function nextPeriod(of: Stripe.Subscription, price: Stripe.Price) {
  const start = periodOf(of).end
  const before = itemOf(of).price.recurring!
  const rhythm = price.recurring!
  const isSame = before.interval === rhythm.interval && before.interval_count === rhythm.interval_count
  const anchor = isSame ? of.billing_cycle_anchor : start
  return { anchor, period: { start, end: periodEnd(anchor, rhythm, start) } }
}

function hasMethod({ store }: World, of: Stripe.Subscription): boolean {
  const customer = store.get<Stripe.Customer>('customer', idOf(of.customer))
  return (of.default_payment_method ?? customer?.invoice_settings.default_payment_method ?? null) !== null
}

export function previewRenewal(
  world: World,
  of: Stripe.Subscription,
  price = plannedPrice(world, of),
): Stripe.Invoice {
  const { store, clock } = world
  const { period } = nextPeriod(of, price)
  return invoice(clock.now(), {
    customer: store.get<Stripe.Customer>('customer', idOf(of.customer))!,
    subscription: of,
    sums: [periodSum(store, heldAt(store, of, period.start), { price, period })],
    reason: 'upcoming',
    period: periodOf(of),
    finalizesAt: null,
    isPreview: true,
  })
}

function plannedPrice({ store }: World, of: Stripe.Subscription): Stripe.Price {
  const own =
    typeof of.schedule === 'string'
      ? store.get<Stripe.SubscriptionSchedule>('subscription_schedule', of.schedule)
      : undefined
  const at = periodOf(of).end
  const next = own?.phases.find(({ start_date: start, end_date: end }) => start <= at && at < end)
  return store.get<Stripe.Price>('price', idOf(next?.items[0]?.price)) ?? itemOf(of).price
}
