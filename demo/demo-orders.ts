import type { Transaction } from '#server/db/open.ts'
import { orders, payments } from '#server/db/schema/orders.ts'
import type { calculatePrices } from '#server/features/prices/pricing.ts'

interface Paid {
  readonly prices: ReturnType<typeof calculatePrices>
  readonly discount?: { readonly code: string; readonly percent: number | null } | undefined
  readonly buyer: { readonly id: string; readonly name: string; readonly email: string }
  readonly paidBy: 'card' | 'paypal' | 'free'
  readonly at: Date
}

/**
 * Inserts a paid order without lines, and its payment. `demo-payments.ts` creates the payment in the sandbox at start.
 */
export async function insertPaidOrder(
  tx: Transaction,
  { prices, discount, buyer, paidBy, at }: Paid,
): Promise<string> {
  const [order] = await tx
    .insert(orders)
    .values({
      userId: buyer.id,
      state: 'paid',
      fingerprint: 'demo',
      totalMinor: prices.totalMinor,
      vatMinor: prices.vatMinor,
      beforeDiscountMinor: prices.beforeMinor,
      couponCode: discount?.code ?? null,
      percentDiscount: discount?.percent ?? null,
      buyerName: buyer.name,
      buyerEmail: buyer.email,
      countryCode: 'GB',
      waiverAt: at,
      createdAt: at,
      paidAt: at,
    })
    .returning({ id: orders.id })
  const orderId = order!.id
  await tx
    .insert(payments)
    .values({ orderId, type: paidBy, last4: paidBy === 'card' ? '4242' : null, createdAt: at })
  return orderId
}
