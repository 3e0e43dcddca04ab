import type Stripe from 'stripe'
import { HOUR } from '../calendar.ts'
import { invalidRequest } from '../errors.ts'
import { invoice } from '../objects/invoice.ts'
import { itemOf, periodOf, withItem } from '../objects/subscription.ts'
import type { World } from '../world.ts'
import { attempt } from './charging.ts'
import { finalise, keepDraft } from './invoices.ts'
import { changeSums } from './lines.ts'
import { note, notesOf } from './notes.ts'
import { changeSubscription } from './standing.ts'
import { idOf } from '../objects/id.ts'

export interface PriceChange {
  readonly price: Stripe.Price
  readonly prorates: boolean
  readonly at: number
  /** True: the change takes effect only when its invoice is paid. */
  readonly waitsForMoney: boolean
}

/** Changes the price within a period: charges the difference at once, or nothing. */
export function changePrice(
  world: World,
  of: Stripe.Subscription,
  { price, prorates, at, waitsForMoney }: PriceChange,
): Stripe.Subscription {
  const { store, clock } = world
  demandSameRhythm(of, price)
  if (!prorates || of.status === 'trialing') return changeSubscription(world, of, withItem(of, { price }))
  if (of.pending_update)
    throw invalidRequest('The subscription has a pending update.', {
      code: 'subscription_pending_update_invalid',
    })
  const draft = keepDraft(world, changeInvoice(world, of, price, at))
  const noted = store.get<Stripe.Subscription>('subscription', of.id)!
  if (waitsForMoney) note(store, of.id, { waiting: { invoice: draft.id, price } })
  else changeSubscription(world, noted, withItem(noted, { price }))
  const open = finalise(world, draft)
  if (open.status === 'open') attempt(world, open)

  const after = store.get<Stripe.Subscription>('subscription', of.id)!
  if (notesOf(store, of.id).waiting === null) return after
  const asked = withItem(after, { price })
  return changeSubscription(world, after, {
    ...after,
    pending_update: {
      billing_cycle_anchor: null,
      cancel_at_period_end: null,
      discount: null,
      discounts: null,
      expires_at: Math.min(clock.now() + 23 * HOUR, periodOf(of).end),
      metadata: null,
      subscription_items: asked.items.data,
      trial_end: null,
      trial_from_plan: null,
    },
  })
}

export const changeInvoice = (
  { store, clock }: World,
  of: Stripe.Subscription,
  price: Stripe.Price,
  at: number,
  isPreview = false,
): Stripe.Invoice =>
  invoice(clock.now(), {
    customer: store.get<Stripe.Customer>('customer', idOf(of.customer))!,
    subscription: of,
    sums: changeSums(store, of, price, at),
    reason: isPreview ? 'upcoming' : 'subscription_update',
    period: { start: periodOf(of).start, end: at },
    finalizesAt: null,
    isPreview,
  })

export function demandSameRhythm(of: Stripe.Subscription, price: Stripe.Price): void {
  const before = itemOf(of).price.recurring
  if (
    before?.interval !== price.recurring?.interval ||
    before?.interval_count !== price.recurring?.interval_count
  )
    throw invalidRequest('The sandbox changes a rhythm by a schedule only, at the end of a period.', {
      param: 'items',
    })
}
