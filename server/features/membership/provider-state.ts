import type { Invoice } from '../../integrations/stripe/invoices.ts'
import type { Payment } from '../../integrations/stripe/payments.ts'
import type { Subscription } from '../../integrations/stripe/subscriptions.ts'
import type { Shop } from '../../shop.ts'
import type { Span } from './months.ts'
import type { SubscriptionRow } from './queries.ts'
import type { PaidInvoice } from './invoice-orders.ts'
import { selectInvoices } from './billing-queries.ts'

/** The provider's view of a membership, asked for in one go, before anything is locked. */
export interface ProviderSnapshot {
  readonly subscription: Subscription
  /** Paid ones with their payments, oldest first. */
  readonly paid: readonly PaidInvoice[]
  /** The one that waits, where a charge failed. */
  readonly failed: {
    readonly invoiceId: string
    readonly dueMinor: number
    readonly payment: Payment | null
  } | null
  /** The next charge; null where nothing is. */
  readonly nextMinor: number | null
  readonly quotedFor: string | null
  /** When it was asked for, counted over all servers. */
  readonly settlement: number
  /** Times whose money was asked back, where something may be granted in them anew. */
  readonly disputed: readonly ReturnedPeriods[]
}

/** The bank would pay, once its customer has said so. */
export const needsBuyer = ({ state, refusal }: Payment): boolean =>
  state === 'open' && (refusal === null || refusal.code === 'authentication_required')

interface Known {
  readonly row: Quoted | undefined
  /** Invoices that are sold. */
  readonly known: ReadonlySet<string>
  readonly payment: Payment | undefined
}

/** All of it in one go, before anything is locked. */
export async function askProvider(
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
  // If nothing renews, the open sum is taken next.
  const nothing = { nextMinor: failed?.dueMinor ?? null, quotedFor: null }
  const next = renews ? await nextSum(billing, subscription, row) : nothing
  return { subscription, paid, failed, ...next }
}

/** As it was quoted before, unless something changed that it hangs on. */
async function nextSum(
  { subscriptions: asked }: Shop['billing'],
  { id, price, planned, discounts, periodEnd, latestInvoice }: Subscription,
  row: Quoted | undefined,
): Promise<Quoted> {
  const quotedFor = [price, planned?.price, ...discounts, periodEnd.toISOString(), latestInvoice].join(' ')
  if (row?.quotedFor === quotedFor) return { nextMinor: row.nextMinor, quotedFor }
  return { nextMinor: (await asked.quoteRenewal(id)).totalMinor, quotedFor }
}

type Quoted = Pick<SubscriptionRow, 'nextMinor' | 'quotedFor'>

/** A time whose money is not ours any more. */
export interface ReturnedPeriods {
  readonly span: Span
  /** By a bank, whose dispute is open or was lost; else it was paid back whole. */
  readonly isDisputed: boolean
}

/**
 * Of a membership's invoices, `but` one of them. The provider is asked for each, so it is done where a dispute makes it
 * necessary, which is seldom.
 */
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
    const isDisputed = await isAskedBack(shop, payment)
    if (isDisputed || payment.refundedMinor >= payment.amountMinor)
      found.push({ span: { from, until }, isDisputed })
  }
  return found
}

const isAskedBack = async ({ payments }: Shop, { id, disputed }: Payment): Promise<boolean> =>
  disputed && (await payments.disputeOf(id)) !== 'won'
