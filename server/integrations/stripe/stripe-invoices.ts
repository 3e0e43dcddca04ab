import type Stripe from 'stripe'
import { type Client, codeOf } from './client.ts'
import { creditNote, invoice, pricesOf, WHOLE_INVOICE as WHOLE, WHOLE_INVOICES } from './invoice-view.ts'
import type { Invoices } from './invoices.ts'
import { payment } from './payment-view.ts'
import { PaymentConflict } from './problems.ts'
import type { PriceKeys } from './stripe-prices.ts'
import { idOf, PAGE, secondsOf, wholeOf } from './response-parsing.ts'

export function stripeInvoices({ ask, each }: Client, keys: PriceKeys): Invoices {
  const view = async (stripe: Stripe, found: Stripe.Invoice) => {
    await keys.learn(stripe, pricesOf(found))
    return invoice(found, keys.of)
  }
  const retrieve = async (stripe: Stripe, id: string) =>
    view(stripe, await stripe.invoices.retrieve(id, { expand: WHOLE }))

  return {
    retrieve: (id) => ask((stripe) => retrieve(stripe, id)),
    async *list({ since, ...of }) {
      const created = since ? { created: { gte: secondsOf(since) } } : {}
      const params = { ...of, ...created, limit: PAGE, expand: WHOLE_INVOICES }
      for await (const found of each(({ invoices }) => invoices.list(params)))
        yield ask((stripe) => view(stripe, found))
    },
    paidBy: (id) =>
      ask(async ({ invoicePayments }) => {
        const { data } = await invoicePayments.list({
          payment: { type: 'payment_intent', payment_intent: id },
          expand: ['data.invoice', 'data.payment.payment_intent.latest_charge'],
        })
        const invoice = wholeOf(data[0]?.invoice)
        const intent = wholeOf(data[0]?.payment.payment_intent)
        if (!intent || !invoice || !('parent' in invoice)) return null
        return {
          invoice: invoice.id,
          subscription: idOf(invoice.parent?.subscription_details?.subscription),
          payment: payment(intent),
          creditedMinor: invoice.post_payment_credit_notes_amount,
        }
      }),
    pay: (id, idempotencyKey) =>
      ask(async (stripe) => {
        try {
          await stripe.invoices.pay(id, { off_session: true }, { idempotencyKey: idempotencyKey })
        } catch (error) {
          // A bank's refusal is a result, and so is a payment that happened in the meantime.
          const isResult =
            // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any error can be checked for this
            (error as { type?: unknown }).type === 'StripeCardError' ||
            codeOf(error) === 'invoice_already_paid'
          if (!isResult) throw error
        }
        return retrieve(stripe, id)
      }),
    makeVoid: (id) =>
      ask(async (stripe) => {
        try {
          await stripe.invoices.voidInvoice(id)
        } catch (error) {
          const after = await retrieve(stripe, id)
          if (after.state !== 'paid' && after.state !== 'void') throw error
        }
        return retrieve(stripe, id)
      }),
    credit: (id, { amountMinor }, idempotencyKey) =>
      ask(async (stripe) => {
        const before = await retrieve(stripe, id)
        const amount = amountMinor ?? before.paidMinor - before.creditedMinor
        if (amount < 1) throw new PaymentConflict('Nothing is left of this invoice.')
        return creditNote(
          await stripe.creditNotes.create(
            { invoice: id, amount, refund_amount: amount },
            { idempotencyKey: idempotencyKey },
          ),
        )
      }),
    creditNotes: (id) =>
      ask(async (stripe) => {
        const notes = await notesOf(stripe, id)
        const unnoted = await refundsWithout(stripe, id, notes)
        for (const { refund, amount } of unnoted)
          await stripe.creditNotes.create(
            { invoice: id, amount, refunds: [{ refund, amount_refunded: amount }] },
            { idempotencyKey: `note:${refund}:${amount}` },
          )
        const all = unnoted.length > 0 ? await notesOf(stripe, id) : notes
        return all.map(creditNote).toReversed()
      }),
  }
}

const notesOf = async ({ creditNotes }: Stripe, invoice: string): Promise<Stripe.CreditNote[]> =>
  (await creditNotes.list({ invoice, limit: PAGE })).data

/**
 * Refunds without a credit note, which were made in the provider's dashboard. A note keeps its amount even if its
 * refund failed later, so of the following refunds only the remainder gets a note.
 */
async function refundsWithout(
  { invoicePayments, refunds }: Stripe,
  invoice: string,
  notes: readonly Stripe.CreditNote[],
): Promise<{ readonly refund: string; readonly amount: number }[]> {
  const noted = new Set(notes.flatMap((note) => note.refunds.map(({ refund }) => idOf(refund))))
  const payments = (await invoicePayments.list({ invoice, status: 'paid' })).data
  const all: Stripe.Refund[] = []
  for (const { payment } of payments) {
    const intent = idOf(payment.payment_intent)
    if (intent !== null) all.push(...(await refunds.list({ payment_intent: intent, limit: PAGE })).data)
  }
  const went = all.filter(({ status }) => status !== 'failed' && status !== 'canceled')
  let left = Math.max(0, sum(notes) - sum(went.filter(({ id }) => noted.has(id))))
  return went
    .filter(({ id }) => !noted.has(id))
    .toReversed()
    .map(({ id: refund, amount }) => {
      const said = Math.min(left, amount)
      left -= said
      return { refund, amount: amount - said }
    })
    .filter(({ amount }) => amount > 0)
}

const sum = (all: readonly { readonly amount: number }[]): number =>
  all.reduce((whole, { amount }) => whole + amount, 0)
