import type Stripe from 'stripe'
import type { CreditNote, Invoice, InvoiceLine, InvoiceState } from './invoices.ts'
import { dateOf, idOf, maybeDate } from './response-parsing.ts'

export const WHOLE_INVOICE = ['confirmation_secret', 'payments']
export const WHOLE_INVOICES = ['data.confirmation_secret', 'data.payments']

/** The prices of its lines are nested too deeply to be expanded. */
export const pricesOf = (given: Stripe.Invoice): string[] =>
  given.lines.data.flatMap((line) => priceOf(line) ?? [])

const priceOf = ({ pricing }: Stripe.InvoiceLineItem): string | null => idOf(pricing?.price_details?.price)

export function invoice(given: Stripe.Invoice, keyOf: (price: string) => string | null): Invoice {
  const { status_transitions: moments } = given
  return {
    id: given.id ?? '',
    number: given.number,
    customer: idOf(given.customer) ?? '',
    subscription: idOf(given.parent?.subscription_details?.subscription),
    state: STATES[given.status ?? ''] ?? 'draft',
    reason: REASONS[given.billing_reason ?? ''] ?? 'other',
    lines: given.lines.data.map((each) => line(each, keyOf)),
    totalMinor: given.total,
    carriedMinor: given.starting_balance,
    dueMinor: given.amount_due,
    paidMinor: given.amount_paid,
    creditedMinor: given.post_payment_credit_notes_amount,
    attempts: given.attempt_count,
    nextAttemptAt: maybeDate(given.next_payment_attempt),
    payment: idOf(given.payments?.data.find(({ is_default }) => is_default)?.payment.payment_intent),
    clientSecret: given.status === 'open' ? (given.confirmation_secret?.client_secret ?? null) : null,
    createdAt: dateOf(given.created),
    paidAt: maybeDate(moments.paid_at),
    voidedAt: maybeDate(moments.voided_at),
  }
}

const STATES: Readonly<Record<string, InvoiceState>> = {
  draft: 'draft',
  open: 'open',
  paid: 'paid',
  void: 'void',
  uncollectible: 'uncollectible',
}

const REASONS: Readonly<Record<string, Invoice['reason']>> = {
  subscription_create: 'joined',
  subscription_cycle: 'renewed',
  subscription_update: 'changed',
}

function line(given: Stripe.InvoiceLineItem, keyOf: (price: string) => string | null): InvoiceLine {
  const price = priceOf(given)
  const discounts = given.discount_amounts ?? []
  return {
    description: given.description ?? '',
    price: price === null ? null : keyOf(price),
    amountMinor: given.amount,
    discountMinor: discounts.reduce((sum, { amount }) => sum + amount, 0),
    isChange: given.parent?.subscription_item_details?.proration ?? false,
    from: dateOf(given.period.start),
    until: dateOf(given.period.end),
  }
}

export const creditNote = (given: Stripe.CreditNote): CreditNote => ({
  id: given.id,
  number: given.number,
  invoice: idOf(given.invoice) ?? '',
  amountMinor: given.amount,
  createdAt: dateOf(given.created),
})
