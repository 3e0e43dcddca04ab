import type { Payment } from '../../outside/stripe/payments.ts'
import type { Span } from '../membership/rules.ts'
import type { Desk } from './desk.ts'
import { selectInvoices } from './rows.ts'

/** A time whose money is not ours any more. */
export interface AskedBack {
  readonly span: Span
  /** By a bank, whose dispute is open or was lost; else it was paid back whole. */
  readonly isDisputed: boolean
}

/**
 * Of a membership's invoices, `but` one of them. The provider is asked for each, so it is done where a dispute makes it
 * necessary, which is seldom.
 */
export async function askedBack(desk: Desk, subscriptionId: string, but?: string): Promise<AskedBack[]> {
  const found: AskedBack[] = []
  for (const { invoiceId, periodStart: from, periodEnd: until } of await selectInvoices(
    desk.db,
    subscriptionId,
  )) {
    if (invoiceId === but) continue
    const { payment: id } = await desk.billing.invoices.retrieve(invoiceId)
    if (id === null) continue
    const payment = await desk.payments.retrievePayment(id)
    const isDisputed = await isAskedBack(desk, payment)
    if (isDisputed || payment.refundedMinor >= payment.amountMinor)
      found.push({ span: { from, until }, isDisputed })
  }
  return found
}

const isAskedBack = async ({ payments }: Desk, { id, disputed }: Payment): Promise<boolean> =>
  disputed && (await payments.disputeOf(id)) !== 'won'
