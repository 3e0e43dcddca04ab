import type { Payment } from '../../outside/stripe/payments.ts'
import type { Span } from '../membership/rules.ts'
import type { Shop } from '../../shop.ts'
import { selectInvoices } from './rows.ts'

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
