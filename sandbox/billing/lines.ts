import type Stripe from 'stripe'
import { type Period, shareLeft } from '../calendar.ts'
import { type Sum, subscriptionOf } from '../objects/invoice.ts'
import { itemOf, periodOf } from '../objects/subscription.ts'
import type { Store } from '../store.ts'
import { cuts, type Held, heldAt } from './discounts.ts'
import { idOf } from '../objects/id.ts'

export function periodSum(
  store: Store,
  held: readonly Held[],
  { price, period }: { readonly price: Stripe.Price; readonly period: Period },
): Sum {
  const amount = price.unit_amount ?? 0
  return {
    amount,
    description: `1 × ${nameOf(store, price)} (at ${pounds(amount)} / ${rhythmOf(price)})`,
    period,
    price,
    isProration: false,
    cuts: cuts(held, amount),
  }
}

export function trialSum(store: Store, price: Stripe.Price, period: Period): Sum {
  const description = `Trial period for ${nameOf(store, price)}`
  return { amount: 0, description, period, price, isProration: false, cuts: [] }
}

/** The amounts of a change within a period: the rest of the new price, less the unused part of the payment. */
export function changeSums(store: Store, of: Stripe.Subscription, to: Stripe.Price, at: number): Sum[] {
  const period = periodOf(of)
  const rest = { start: at, end: period.end }
  const before = itemOf(of).price
  const fresh = shareLeft(to.unit_amount ?? 0, period, at)
  return [
    {
      amount: -shareLeft(paidFor(store, of, period), period, at) || 0,
      description: `Unused time on ${nameOf(store, before)}`,
      period: rest,
      price: before,
      isProration: true,
      cuts: [],
    },
    {
      amount: fresh,
      description: `Remaining time on ${nameOf(store, to)}`,
      period: rest,
      price: to,
      isProration: true,
      cuts: cuts(heldAt(store, of, at), fresh),
    },
  ]
}

/** The amount invoiced for this period: all its lines less their discounts, scaled to the whole period. */
function paidFor(store: Store, of: Stripe.Subscription, period: Period): number {
  const id = of.latest_invoice
  const latest = typeof id === 'string' ? store.get<Stripe.Invoice>('invoice', id) : undefined
  const price = itemOf(of).price.unit_amount ?? 0
  if (!latest || subscriptionOf(latest) !== of.id) return price
  const own = latest.lines.data.find(
    (line) =>
      line.amount > 0 &&
      line.period.end === period.end &&
      line.pricing?.price_details?.price === itemOf(of).price.id,
  )
  if (!own) return price
  const off = (own.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0)
  return Math.round((price * (own.amount - off)) / own.amount)
}

const nameOf = (store: Store, price: Stripe.Price): string =>
  store.get<Stripe.Product>('product', idOf(price.product))?.name ?? 'Subscription'

const pounds = (minor: number): string => `£${(minor / 100).toFixed(2)}`

const rhythmOf = ({ recurring }: Stripe.Price): string =>
  recurring && recurring.interval_count > 1
    ? `every ${recurring.interval_count} ${recurring.interval}s`
    : (recurring?.interval ?? 'month')
