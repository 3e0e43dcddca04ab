import { type PlanId, planInWords } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'
import type { Invoice } from '../../integrations/stripe/invoices.ts'
import { planOfKey } from '../../integrations/stripe/prices.ts'
import type { Payment } from '../../integrations/stripe/payments.ts'
import type { Shop } from '../../shop.ts'
import type { Span } from './months.ts'
import { type SubscriptionRow, insertInvoice } from './queries.ts'
import { oneLineBasket, createOrder, recordPaid } from '../orders/service.ts'
import type { OrderRow as Order } from '../orders/queries.ts'
import { ratesAt, vatPercentOf } from '../prices/pricing.ts'

export interface PaidInvoice {
  readonly invoice: Invoice
  readonly payment: Payment | null
}

interface Sellable {
  readonly invoice: Pick<Invoice, 'id' | 'reason' | 'lines' | 'paidMinor' | 'createdAt' | 'paidAt'>
  readonly payment: Pick<Payment, 'card' | 'cardLast4' | 'method'> | null
}

export function paidForBy(
  invoice: Pick<Invoice, 'lines'>,
  row: SubscriptionRow,
): { plan: PlanId; span: Span } {
  // The negative lines of a plan change credit the old plan; the last charge is for the new one.
  const line = invoice.lines.findLast(({ amountMinor }) => amountMinor >= 0) ?? invoice.lines.at(-1)
  const plan = (line?.price && planOfKey(line.price)) || row.plan
  return {
    plan,
    span: { from: line?.from ?? row.periodStart, until: line?.until ?? row.periodEnd },
  }
}

/** The caller has locked the membership and checked that the invoice has no order yet. */
export async function sellInvoice(
  tx: Db,
  shop: Pick<Shop, 'config'>,
  row: SubscriptionRow & { readonly userId: string },
  { invoice, payment }: Sellable,
  country: string,
): Promise<Order> {
  const { plan, span } = paidForBy(invoice, row)
  const paidMinor = invoice.paidMinor
  const discountMinor = invoice.lines.reduce((sum, line) => sum + line.discountMinor, 0)
  const sold = { kind: 'membership' as const, plan }
  const paidAt = invoice.paidAt ?? invoice.createdAt
  const name = planInWords(shop.config.details.plans[plan])
  const order = await createOrder(tx, {
    basket: oneLineBasket({
      sold,
      title: invoice.reason === 'changed' ? `${name}, the rest of the period` : name,
      originalMinor: paidMinor + discountMinor,
      priceMinor: paidMinor,
      vatPercent: vatPercentOf(sold, ratesAt(shop.config, country, paidAt)),
      code:
        discountMinor > 0 && row.couponCode !== null
          ? { code: row.couponCode, percent: row.percentDiscount }
          : null,
    }),
    source: { kind: 'membership', id: row.id },
    buyer: { userId: row.userId, country },
    waiver: false,
    now: paidAt,
  })
  await recordPaid(tx, shop, order, {
    paidBy: payment
      ? {
          type: payment.method ?? 'card',
          last4: payment.cardLast4,
          wallet: payment.card?.wallet ?? null,
        }
      : { type: 'free', last4: null },
    paidAt,
    deliveredId: row.id,
  })
  await insertInvoice(tx, {
    invoiceId: invoice.id,
    subscriptionId: row.id,
    orderId: order.id,
    periodStart: span.from,
    periodEnd: span.until,
  })
  return order
}
