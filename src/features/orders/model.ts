import type { Order, OrderItem, OrderMember } from '#contract/orders.ts'
import { WALLET_NAMES } from '#contract/wallets.ts'
import { amount, toMinor } from '#format/money.ts'

export const isPaid = ({ status }: Pick<Order, 'status'>): boolean =>
  status === 'paid' || status === 'partly_refunded' || status === 'refunded'

export function kindWords(item: Pick<OrderItem, 'audioBook' | 'eBook' | 'subscription'>): string {
  if (item.audioBook) return 'Audiobook'
  return item.eBook ? 'E-book' : 'Membership'
}

export function paidWords({ transactions }: Pick<Order, 'transactions'>): string {
  return transactions
    .map(({ type, last4, wallet }) => {
      if (type === 'paypal') return 'PayPal'
      if (type === 'free') return 'Nothing to pay'
      const card = last4 ? `card ending ${last4}` : 'card'
      return wallet ? `${WALLET_NAMES[wallet]}, ${card}` : `C${card.slice(1)}`
    })
    .join(', ')
}

/** An order's status, unless it was simply paid. */
export function statusWords({
  status,
  dispute,
  refundedAmount,
}: Pick<Order, 'status' | 'dispute' | 'refundedAmount'>): string {
  if (dispute === 'open') return 'Your bank is looking into this payment'
  if (dispute === 'lost') return `${amount(toMinor(refundedAmount))} refunded by your bank`
  if (dispute === 'won' && status === 'paid') return 'Paid: your bank upheld the payment'
  const words: Partial<Record<Order['status'], string>> = {
    awaiting_payment: 'Waiting for payment',
    abandoned: 'Not paid',
    partly_refunded: `Partly refunded, ${amount(toMinor(refundedAmount))}`,
    refunded: `Refunded, ${amount(toMinor(refundedAmount))}`,
  }
  return words[status] ?? ''
}

/** VAT by rate, highest first, in pence. */
export function vatByRate(items: readonly Pick<OrderItem, 'vat' | 'vatPercent'>[]): [number, number][] {
  const rates = new Map<number, number>()
  for (const { vat, vatPercent } of items) rates.set(vatPercent, (rates.get(vatPercent) ?? 0) + toMinor(vat))
  return [...rates].sort(([one], [other]) => other - one)
}

/** Titles that the buyer owns now, so without gifts (ORDER-09). */
export const ownItems = (order: Pick<OrderMember, 'orderItems'>): OrderItem[] =>
  order.orderItems.filter(({ gift, subscription }) => !gift && !subscription)

/** The maximum age of an order that a confirmation page can be waiting for. */
const JUST_NOW_MS = 10 * 60_000

/** The order that was just paid, for a page that doesn't know its id (ORDER-07). */
export const justPaid = (orders: readonly OrderMember[], nowMs: number): OrderMember | undefined =>
  orders.find((order) => isPaid(order) && nowMs - Date.parse(order.createdAt) < JUST_NOW_MS)
