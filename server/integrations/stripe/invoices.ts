import type Stripe from 'stripe'
import { errorCode } from '../../log/error-code.ts'
import { all, type Client, createdIn, dateOf, expanded, idOf, maybeDate, PAGE, typeOf } from './client.ts'
import { type Payment, toPayment } from './payments.ts'
import type { PriceKeys } from './prices.ts'

export type InvoiceState = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'

export interface Invoice {
  readonly id: string
  /** Null for a draft. */
  readonly number: string | null
  readonly customer: string
  readonly subscription: string | null
  readonly state: InvoiceState
  readonly reason: 'joined' | 'renewed' | 'changed' | 'other'
  readonly lines: readonly InvoiceLine[]
  /** Sum of the lines, including VAT. Negative if a plan change gives back more than it costs. */
  readonly totalMinor: number
  /** What is charged: total plus carried balance, or 0 if that is carried over to the next invoice. */
  readonly dueMinor: number
  readonly paidMinor: number
  readonly creditedMinor: number
  readonly attempts: number
  /** `pi_…` of its payment; `Payments` has the method and refunds. Null if nothing was due. */
  readonly payment: string | null
  /** Lets the browser pay it or authenticate; only while it is open. */
  readonly clientSecret: string | null
  readonly createdAt: Date
  readonly paidAt: Date | null
}

export interface InvoiceLine {
  readonly description: string
  readonly price: string | null
  /** Before its discount; negative for unused time that is given back. */
  readonly amountMinor: number
  readonly discountMinor: number
  readonly isChange: boolean
  readonly from: Date
  readonly until: Date
}

export interface CreditNote {
  readonly id: string
  readonly amountMinor: number
}

/** In one result, because a payment's webhook event needs all of it. */
export interface PaidBy {
  /** `in_…` */
  readonly invoice: string
  /** `sub_…` */
  readonly subscription: string | null
  readonly payment: Payment
  readonly creditedMinor: number
}

export interface InvoicesOf {
  readonly customer?: string
  readonly subscription?: string
  readonly since?: Date
}

const WHOLE = ['confirmation_secret', 'payments']
const WHOLE_LIST = ['data.confirmation_secret', 'data.payments']

export function openInvoices({ ask, each }: Client, keys: PriceKeys) {
  const invoice = async (stripe: Stripe, found: Stripe.Invoice) => {
    await keys.fetch(stripe, linePrices(found))
    return toInvoice(found, keys.of)
  }
  const retrieve = async (stripe: Stripe, id: string) =>
    invoice(stripe, await stripe.invoices.retrieve(id, { expand: WHOLE }))

  return {
    retrieve: (id: string): Promise<Invoice> => ask('invoices.retrieve', (stripe) => retrieve(stripe, id)),

    /** Newest first; pages are fetched while they are read. */
    list: ({ since, ...of }: InvoicesOf): AsyncIterable<Invoice> =>
      each('invoices.list', async function* (stripe) {
        const params = { ...of, ...createdIn(since ? { since } : {}), limit: PAGE, expand: WHOLE_LIST }
        for await (const found of stripe.invoices.list(params)) yield invoice(stripe, found)
      }),

    /** The invoice that a payment belongs to; null for a checkout payment. */
    paidBy: (payment: string): Promise<PaidBy | null> =>
      ask('invoices.paidBy', async ({ invoicePayments }) => {
        const { data } = await invoicePayments.list({
          payment: { type: 'payment_intent', payment_intent: payment },
          expand: ['data.invoice', 'data.payment.payment_intent.latest_charge'],
        })
        const found = expanded(data[0]?.invoice)
        const intent = expanded(data[0]?.payment.payment_intent)
        if (!intent || !found || !('parent' in found)) return null
        return {
          invoice: found.id,
          subscription: idOf(found.parent?.subscription_details?.subscription),
          payment: toPayment(intent),
          creditedMinor: found.post_payment_credit_notes_amount,
        }
      }),

    /** A refusal is a result: the invoice stays open, with a `clientSecret` if the bank wants authentication. */
    pay: (id: string, idempotencyKey: string): Promise<Invoice> =>
      ask('invoices.pay', async (stripe) => {
        try {
          await stripe.invoices.pay(id, { off_session: true }, { idempotencyKey })
        } catch (error) {
          if (typeOf(error) !== 'StripeCardError' && errorCode(error) !== 'invoice_already_paid') throw error
        }
        return retrieve(stripe, id)
      }),

    /** Makes it uncollectable. A paid invoice stays paid: check `state`. */
    makeVoid: (id: string): Promise<Invoice> =>
      ask('invoices.makeVoid', async (stripe) => {
        try {
          await stripe.invoices.voidInvoice(id)
        } catch (error) {
          const after = await retrieve(stripe, id)
          if (after.state !== 'paid' && after.state !== 'void') throw error
        }
        return retrieve(stripe, id)
      }),

    /** Its credit notes, oldest first. First creates those of refunds that have none. */
    creditNotes: (id: string): Promise<readonly CreditNote[]> =>
      ask('invoices.creditNotes', async (stripe) => {
        const notes = await notesOf(stripe, id)
        const unnoted = await refundsWithout(stripe, id, notes)
        for (const { refund, amount } of unnoted)
          await stripe.creditNotes.create(
            { invoice: id, amount, refunds: [{ refund, amount_refunded: amount }] },
            { idempotencyKey: `note:${refund}:${amount}` },
          )
        const current = unnoted.length > 0 ? await notesOf(stripe, id) : notes
        return current.map(({ id: note, amount }) => ({ id: note, amountMinor: amount })).toReversed()
      }),
  }
}

const notesOf = ({ creditNotes }: Stripe, invoice: string): Promise<Stripe.CreditNote[]> =>
  all(creditNotes.list({ invoice, limit: PAGE }))

/** A note keeps its amount even if its refund failed later, so later refunds get only the remainder. */
async function refundsWithout(
  { invoicePayments, refunds }: Stripe,
  invoice: string,
  notes: readonly Stripe.CreditNote[],
): Promise<{ readonly refund: string; readonly amount: number }[]> {
  const noted = new Set(notes.flatMap((note) => note.refunds.map(({ refund }) => idOf(refund))))
  const payments = await all(invoicePayments.list({ invoice, status: 'paid', limit: PAGE }))
  const found: Stripe.Refund[] = []
  for (const { payment } of payments) {
    const intent = idOf(payment.payment_intent)
    if (intent !== null) found.push(...(await all(refunds.list({ payment_intent: intent, limit: PAGE }))))
  }
  const effective = found.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  let extraMinor = Math.max(0, sum(notes) - sum(effective.filter(({ id }) => noted.has(id))))
  return effective
    .filter(({ id }) => !noted.has(id))
    .toReversed()
    .map(({ id: refund, amount }) => {
      const covered = Math.min(extraMinor, amount)
      extraMinor -= covered
      return { refund, amount: amount - covered }
    })
    .filter(({ amount }) => amount > 0)
}

const sum = (items: readonly { readonly amount: number }[]): number =>
  items.reduce((total, { amount }) => total + amount, 0)

/** The prices of its lines are nested too deeply to be expanded. */
const linePrices = (given: Stripe.Invoice): string[] =>
  given.lines.data.flatMap((line) => linePrice(line) ?? [])

const linePrice = ({ pricing }: Stripe.InvoiceLineItem): string | null => idOf(pricing?.price_details?.price)

export function toInvoice(given: Stripe.Invoice, keyOf: (price: string) => string | null): Invoice {
  return {
    id: given.id ?? '',
    number: given.number,
    customer: idOf(given.customer) ?? '',
    subscription: idOf(given.parent?.subscription_details?.subscription),
    state: STATES[given.status ?? ''] ?? 'draft',
    reason: REASONS[given.billing_reason ?? ''] ?? 'other',
    lines: given.lines.data.map((each) => toLine(each, keyOf)),
    totalMinor: given.total,
    dueMinor: given.amount_due,
    paidMinor: given.amount_paid,
    creditedMinor: given.post_payment_credit_notes_amount,
    attempts: given.attempt_count,
    payment: idOf(given.payments?.data.find(({ is_default }) => is_default)?.payment.payment_intent),
    clientSecret: given.status === 'open' ? (given.confirmation_secret?.client_secret ?? null) : null,
    createdAt: dateOf(given.created),
    paidAt: maybeDate(given.status_transitions.paid_at),
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

function toLine(given: Stripe.InvoiceLineItem, keyOf: (price: string) => string | null): InvoiceLine {
  const price = linePrice(given)
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
