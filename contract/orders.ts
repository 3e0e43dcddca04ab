import Type, { type Static } from 'typebox'
import {
  Instant,
  NullableInteger,
  NullableNumber,
  NullableString,
  nullable,
  paging,
  Pounds,
  Uuid,
} from './atoms.ts'
import { AudioBookCard, EBookCard } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { collection, item } from './hydra.ts'
import { PAGE_SIZE } from './limits.ts'
import { WALLETS } from './wallets.ts'

/**
 * Awaiting payment (also after a refused card), paid, partly or fully refunded, or abandoned: the bag was changed or
 * the payment cancelled before any money moved.
 */
export const ORDER_STATUSES = [
  'awaiting_payment',
  'paid',
  'partly_refunded',
  'refunded',
  'abandoned',
] as const
export type OrderStatus = (typeof ORDER_STATUSES)[number]

export const Transaction = Type.Object({
  id: Type.String(),
  /** Last four digits of the card; null for PayPal and free orders. */
  last4: NullableString,
  type: Type.Unsafe<'card' | 'paypal' | 'free'>({ type: 'string', enum: ['card', 'paypal', 'free'] }),
  /** The wallet that the card was paid from; absent if there was none. */
  wallet: Type.Optional(Type.Enum([...WALLETS])),
})

/** One title of an order, as it was sold (ENT-11): exactly one of `audioBook`, `eBook`, `subscription` is set. */
export const OrderItem = Type.Object({
  '@id': Type.String(),
  '@type': Type.Literal('OrderItem'),
  id: Uuid,
  orderCart: Type.Object({
    orderNumber: Type.String(),
    amount: Pounds,
    transactions: Type.Array(Transaction),
  }),
  createdAt: Instant,
  /** The title at the time of sale. */
  title: Type.String(),
  /** The price paid, after all discounts. */
  price: Pounds,
  /** The buyer's price before the code. */
  originalPrice: Pounds,
  couponCode: NullableString,
  percentDiscount: NullableInteger,
  vat: Pounds,
  vatPercent: Type.Integer(),
  gift: Type.Boolean(),
  giftEmail: NullableString,
  /** `2026-12-25`; null for a gift that was sent at once. */
  giftDeliveryDate: NullableString,
  giftClaimedAt: nullable(Instant),
  /** When the line was refunded and the title left the library. */
  refundedAt: nullable(Instant),
  /** Amounts refunded for the line while its title stays in the library, oldest first. Absent if there are none. */
  goodwillRefunds: Type.Optional(Type.Array(Type.Object({ amount: Pounds, refundedAt: Instant }))),
  audioBook: nullable(AudioBookCard),
  eBook: nullable(EBookCard),
  subscription: nullable(Type.Object({ id: Uuid, plan: Type.Integer({ minimum: 1, maximum: 7 }) })),
})
export type OrderItem = Static<typeof OrderItem>

/** An order with the data of its receipt (ENT-10). */
const orderFields = {
  uuid: Uuid,
  orderNumber: Type.String(),
  status: Type.Unsafe<OrderStatus>({ type: 'string', enum: [...ORDER_STATUSES] }),
  /** The time of the payment, or of the checkout if it is unpaid. */
  createdAt: Instant,
  amount: Pounds,
  sumVat: Pounds,
  sumNet: Pounds,
  sumBeforeDiscount: Pounds,
  couponCode: NullableString,
  percentDiscount: NullableInteger,
  /** The code's reduction in pounds; null without a code. */
  discountAmount: NullableNumber,
  /** True if a percentage was rounded up to a whole pound (DISC-09). */
  discountRounded: Type.Boolean(),
  refundedAmount: Pounds,
  /** The buyer's dispute of the payment; null without one. An open dispute does not count as a refund. */
  dispute: nullable(Type.Unsafe<'open' | 'won' | 'lost'>({ type: 'string', enum: ['open', 'won', 'lost'] })),
  buyerName: Type.String(),
  buyerEmail: Type.String(),
  /** When the buyer agreed to lose the right of withdrawal; null if that was not required. */
  waiverAt: nullable(Instant),
  transactions: Type.Array(Transaction),
  orderItems: Type.Array(OrderItem),
}
export const Order = item('OrderCart', orderFields)
export type Order = Static<typeof Order>
export const OrderMember = Type.Object({
  '@id': Type.String(),
  '@type': Type.Literal('OrderCart'),
  ...orderFields,
})
export type OrderMember = Static<typeof OrderMember>

/** The caller's paid orders, newest first, including refunded ones. */
export const listOrders = endpoint({
  method: 'GET',
  path: '/api/order_carts',
  summary: 'The caller’s orders',
  access: 'user',
  query: Type.Object(paging(PAGE_SIZE.orders)),
  reply: collection(OrderMember),
})
/** One order of the caller in any state; 404 for another account's order. */
export const getOrder = endpoint({
  method: 'GET',
  path: '/api/order_carts/{id}',
  summary: 'One order, for its receipt',
  access: 'user',
  params: Type.Object({ id: Uuid }),
  reply: Order,
})
