import type Stripe from 'stripe'
import type { Period } from '../calendar.ts'
import { newId } from '../world.ts'
import { itemOf } from './subscription.ts'
import { idOf } from './id.ts'

/** A line of an invoice before it has an id: the amount, what it is for, and its discounts. */
export interface Sum {
  readonly amount: number
  readonly description: string
  readonly period: Period
  readonly price: Stripe.Price
  readonly isProration: boolean
  readonly cuts: readonly Cut[]
}

export interface Cut {
  readonly discount: string
  readonly amount: number
}

interface NewInvoice {
  readonly customer: Stripe.Customer
  /** Null if it is the first invoice of a future subscription. */
  readonly subscription: Stripe.Subscription | null
  readonly sums: readonly Sum[]
  readonly reason: string
  readonly period: Period
  readonly finalizesAt: number | null
  readonly isPreview?: boolean
}

export function invoice(created: number, given: NewInvoice): Stripe.Invoice {
  const id = newId(given.isPreview ? 'upcoming_in' : 'in')
  const { customer, subscription, sums } = given
  const subtotal = sums.reduce((sum, { amount }) => sum + amount, 0)
  const cuts = cutsOf(sums)
  const total = subtotal - cuts.reduce((sum, { amount }) => sum + amount, 0)
  return {
    id,
    object: 'invoice',
    account_country: 'GB',
    account_name: 'Sandbox',
    account_tax_ids: null,
    ...dueOf(total, customer.balance),
    amount_overpaid: 0,
    amount_paid: 0,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
    automatically_finalizes_at: given.finalizesAt,
    billing_reason: given.reason,
    collection_method: 'charge_automatically',
    created,
    currency: 'gbp',
    custom_fields: null,
    customer: customer.id,
    customer_account: null,
    customer_address: null,
    customer_email: customer.email,
    customer_name: customer.name ?? null,
    customer_phone: customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: 'none',
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: [],
    description: null,
    discounts: subscription?.discounts.map((each) => (typeof each === 'string' ? each : each.id)) ?? [],
    due_date: null,
    effective_at: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: 'self' },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: 'list',
      data: sums.map((sum) => line(id, subscription, sum)),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: given.finalizesAt,
    number: null,
    on_behalf_of: null,
    parent: subscription && {
      quote_details: null,
      subscription_details: { metadata: subscription.metadata, subscription: subscription.id },
      type: 'subscription_details',
    },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: given.period.end,
    period_start: given.period.start,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: customer.balance,
    statement_descriptor: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal,
    subtotal_excluding_tax: subtotal,
    test_clock: customer.test_clock ?? null,
    total,
    total_discount_amounts: cuts.map(({ discount, amount }) => ({ discount, amount })),
    total_excluding_tax: total,
    total_pretax_credit_amounts: [],
    total_taxes: [],
    webhooks_delivered_at: created,
  }
}

const LEAST_CHARGE = 30

/** The amount due now. An amount owed to the customer, or too small to charge, goes to the customer's balance. */
export function dueOf(
  total: number,
  balance: number,
): Pick<Stripe.Invoice, 'amount_due' | 'amount_remaining' | 'ending_balance'> {
  const owed = total + balance
  const due = owed < LEAST_CHARGE ? 0 : owed
  return { amount_due: due, amount_remaining: due, ending_balance: owed - due }
}

function cutsOf(sums: readonly Sum[]): Cut[] {
  const all = new Map<string, number>()
  for (const { cuts } of sums)
    for (const { discount, amount } of cuts) all.set(discount, (all.get(discount) ?? 0) + amount)
  return [...all].map(([discount, amount]) => ({ discount, amount }))
}

function line(owner: string, of: Stripe.Subscription | null, sum: Sum): Stripe.InvoiceLineItem {
  return {
    id: newId('il'),
    object: 'line_item',
    amount: sum.amount,
    currency: 'gbp',
    description: sum.description,
    discount_amounts: sum.cuts.map(({ discount, amount }) => ({ discount, amount })),
    discountable: !sum.isProration,
    discounts: sum.cuts.map(({ discount }) => discount),
    invoice: owner,
    livemode: false,
    metadata: of?.metadata ?? {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: sum.isProration,
        proration_details: null,
        subscription: of?.id ?? null,
        subscription_item: of ? itemOf(of).id : newId('si').slice(0, 17),
      },
      type: 'subscription_item_details',
    },
    period: { start: sum.period.start, end: sum.period.end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: sum.price.id, product: idOf(sum.price.product) },
      type: 'price_details',
      unit_amount_decimal: null,
    },
    quantity: 1,
    quantity_decimal: null,
    subscription: of?.id ?? null,
    subtotal: sum.amount,
    taxes: [],
  }
}

/** Path of an invoice's subscription id, for `Store.where`. */
export const OF_SUBSCRIPTION = 'parent.subscription_details.subscription'

export function subscriptionOf(given: Stripe.Invoice): string | null {
  const id = given.parent?.subscription_details?.subscription
  return typeof id === 'string' ? id : (id?.id ?? null)
}

export function invoicePayment(created: number, of: Stripe.Invoice, intent: string): Stripe.InvoicePayment {
  return {
    id: newId('inpay'),
    object: 'invoice_payment',
    amount_paid: null,
    amount_requested: of.amount_due,
    created,
    currency: 'gbp',
    invoice: of.id,
    is_default: true,
    livemode: false,
    payment: { type: 'payment_intent', payment_intent: intent },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
  }
}
