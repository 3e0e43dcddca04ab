import type { BookCard } from '#contract/catalogue.ts'
import type { Order, OrderItem, OrderMember, OrderStatus } from '#contract/orders.ts'
import { wasRoundedUp } from '../orders/service.ts'
import type { OrderShown } from './service.ts'

type Cards = ReadonlyMap<number, BookCard>

export const orderItem = (shown: OrderShown, cards: Cards): Order => ({
  '@context': '/api/contexts/OrderCart',
  ...orderMember(shown, cards),
})

export function orderMember(shown: OrderShown, cards: Cards): OrderMember {
  const { order } = shown
  const discount = order.beforeDiscountMinor - order.totalMinor
  return {
    '@id': `/api/order_carts/${order.id}`,
    '@type': 'OrderCart',
    uuid: order.id,
    orderNumber: order.number,
    status: statusOf(shown),
    createdAt: (order.paidAt ?? order.createdAt).toISOString(),
    amount: order.totalMinor / 100,
    sumVat: order.vatMinor / 100,
    sumNet: (order.totalMinor - order.vatMinor) / 100,
    sumBeforeDiscount: order.beforeDiscountMinor / 100,
    couponCode: order.couponCode,
    percentDiscount: order.percentDiscount,
    discountAmount: discount > 0 ? discount / 100 : null,
    discountRounded: wasRoundedUp(order, shown.lines),
    refundedAmount: order.refundedMinor / 100,
    dispute: order.dispute,
    buyerName: order.buyerName,
    buyerEmail: order.buyerEmail,
    waiverAt: order.waiverAt?.toISOString() ?? null,
    transactions: transactionsOf(shown),
    orderItems: shown.lines.map((line) => lineView(shown, line, cards)),
  }
}

function statusOf({ order }: OrderShown): OrderStatus {
  if (order.state !== 'paid') return order.state
  if (order.refundedMinor === 0) return 'paid'
  return order.refundedMinor === order.totalMinor ? 'refunded' : 'partly_refunded'
}

const transactionsOf = ({ payment }: OrderShown) =>
  payment?.type
    ? [
        {
          id: payment.intentId ?? payment.id,
          last4: payment.last4,
          type: payment.type,
          ...(payment.wallet && { wallet: payment.wallet }),
        },
      ]
    : []

/** The line is out of the library until the buyer's bank decides, but it is not refunded. */
const isHeldBack = (
  { disputedAt }: OrderShown['order'],
  { refundedAt }: OrderShown['lines'][number],
): boolean => disputedAt !== null && refundedAt !== null && refundedAt >= disputedAt

function lineView(shown: OrderShown, line: OrderShown['lines'][number], cards: Cards): OrderItem {
  const { order } = shown
  const goodwill = shown.goodwill.get(line.id)
  return {
    '@id': `/api/order_items/${line.id}`,
    '@type': 'OrderItem',
    id: line.id,
    orderCart: {
      orderNumber: order.number,
      amount: order.totalMinor / 100,
      transactions: transactionsOf(shown),
    },
    createdAt: (order.paidAt ?? order.createdAt).toISOString(),
    title: line.title,
    price: line.priceMinor / 100,
    originalPrice: line.originalMinor / 100,
    couponCode: line.couponCode,
    percentDiscount: line.percentDiscount,
    vat: line.vatMinor / 100,
    vatPercent: line.vatPercent,
    gift: line.gift,
    // The giver may have corrected the address or the day since.
    giftEmail: line.giftEmail && (shown.gifts.get(line.id)?.email ?? line.giftEmail),
    giftDeliveryDate: shown.gifts.get(line.id)?.day ?? null,
    giftClaimedAt: shown.gifts.get(line.id)?.claimedAt?.toISOString() ?? null,
    refundedAt: isHeldBack(order, line) ? null : (line.refundedAt?.toISOString() ?? null),
    ...(goodwill && {
      goodwillRefunds: goodwill.map(({ amountMinor, refundedAt }) => ({
        amount: amountMinor / 100,
        refundedAt: refundedAt.toISOString(),
      })),
    }),
    ...productView(line, cards),
  }
}

/** A given membership has neither: its recipient has it. */
export function productView(
  { sold, deliveredId }: Pick<OrderShown['lines'][number], 'sold' | 'deliveredId'>,
  cards: Cards,
): Pick<OrderItem, 'audioBook' | 'eBook' | 'subscription'> {
  const card = sold.kind === 'title' ? cards.get(sold.bookId) : undefined
  return {
    audioBook: card?.entityType === 'audioBook' ? card : null,
    eBook: card?.entityType === 'eBook' ? card : null,
    subscription:
      sold.kind === 'membership' && deliveredId !== null ? { id: deliveredId, plan: sold.plan } : null,
  }
}
