import type { Invoice } from '../../integrations/stripe/invoices.ts'
import type { Payment } from '../../integrations/stripe/payments.ts'
import type { Subscription } from '../../integrations/stripe/subscriptions.ts'
import type { Shop } from '../../shop.ts'
import type { Span } from './months.ts'
import type { SubscriptionRow } from './queries.ts'
import type { PaidInvoice } from './invoice-orders.ts'
import { selectInvoices } from './billing-queries.ts'

export interface ProviderSnapshot {
  readonly subscription: Subscription
  /** Without those that have an order; oldest first. */
  readonly paid: readonly PaidInvoice[]
  readonly failed: {
    readonly invoiceId: string
    readonly dueMinor: number
    readonly payment: Payment | null
  } | null
  readonly nextMinor: number | null
  readonly quotedFor: string | null
  /** The number of this provider query, counted across all servers. */
  readonly settlement: number
  /** Paid periods whose money was returned, fetched if a plan change may grant credits in them again. */
  readonly disputed: readonly ReturnedPeriods[]
}

export const needsBuyer = ({ state, refusal }: Payment): boolean =>
  state === 'open' && (refusal === null || refusal.code === 'authentication_required')

interface Known {
  readonly row: Quoted | undefined
  readonly known: ReadonlySet<string>
  readonly payment: Payment | undefined
}

export async function fetchProviderState(
  { billing, payments }: Pick<Shop, 'billing' | 'payments'>,
  subscription: Subscription,
  { row, known, payment }: Known,
): Promise<Omit<ProviderSnapshot, 'disputed' | 'settlement'>> {
  const invoices: Invoice[] = []
  for await (const invoice of billing.invoices.list({ subscription: subscription.id })) invoices.push(invoice)
  const paymentOf = (id: string | null) => (id === null ? null : payments.retrievePayment(id))
  const paid: PaidInvoice[] = []
  for (const invoice of invoices.toReversed())
    if (invoice.state === 'paid' && !known.has(invoice.id)) {
      const isAsked = payment?.state === 'paid' && payment.id === invoice.payment
      paid.push({ invoice, payment: isAsked ? payment : await paymentOf(invoice.payment) })
    }
  const open = invoices.find(({ state, attempts }) => state === 'open' && attempts > 0)
  const failed =
    open && (subscription.state === 'past_due' || subscription.state === 'unpaid')
      ? { invoiceId: open.id, dueMinor: open.dueMinor, payment: await paymentOf(open.payment) }
      : null
  const renews =
    (subscription.state === 'active' || subscription.state === 'trialing') && subscription.cancelsAt === null
  // If nothing renews, the open amount is the next charge.
  const nothing = { nextMinor: failed?.dueMinor ?? null, quotedFor: null }
  const next = renews ? await quoteNextPayment(billing, subscription, row) : nothing
  return { subscription, paid, failed, ...next }
}

async function quoteNextPayment(
  { subscriptions: asked }: Shop['billing'],
  { id, price, planned, discounts, periodEnd, latestInvoice }: Subscription,
  row: Quoted | undefined,
): Promise<Quoted> {
  const quotedFor = [price, planned?.price, ...discounts, periodEnd.toISOString(), latestInvoice].join(' ')
  if (row?.quotedFor === quotedFor) return { nextMinor: row.nextMinor, quotedFor }
  return { nextMinor: (await asked.quoteRenewal(id)).totalMinor, quotedFor }
}

type Quoted = Pick<SubscriptionRow, 'nextMinor' | 'quotedFor'>

interface ReturnedPeriods {
  readonly span: Span
  /** True if a bank returned it in a dispute that is open or lost; false for a full refund. */
  readonly isDisputed: boolean
}

/** Costs two to three calls to the provider for each invoice, so call it only if there is a dispute. */
export async function returnedPeriods(
  shop: Shop,
  subscriptionId: string,
  but?: string,
): Promise<ReturnedPeriods[]> {
  const found: ReturnedPeriods[] = []
  for (const { invoiceId, periodStart: from, periodEnd: until } of await selectInvoices(
    shop.db,
    subscriptionId,
  )) {
    if (invoiceId === but) continue
    const { payment: id } = await shop.billing.invoices.retrieve(invoiceId)
    if (id === null) continue
    const payment = await shop.payments.retrievePayment(id)
    const isDisputed = await isDisputeOpenOrLost(shop, payment)
    if (isDisputed || payment.refundedMinor >= payment.amountMinor)
      found.push({ span: { from, until }, isDisputed })
  }
  return found
}

const isDisputeOpenOrLost = async ({ payments }: Shop, { id, disputed }: Payment): Promise<boolean> =>
  disputed && (await payments.disputeOf(id)) !== 'won'
