import Type, { type Static } from 'typebox'
import { Instant, nullable, NullableString } from '../atoms.ts'
import { LIST_QUERY, officeEndpoint, officePage } from './office-endpoint.ts'
import { type OrderState, ORDER_STATES } from './order-states.ts'

const State = Type.Unsafe<OrderState>({ type: 'string', enum: [...ORDER_STATES] })
const Minor = Type.Integer()

export const ListedOrder = Type.Object({
  number: Type.String(),
  /** When it was paid, or made if it wasn't. */
  at: Instant,
  buyer: Type.String(),
  email: Type.String(),
  titles: Type.String(),
  country: Type.String(),
  /** `card 4242`, `paypal` */
  paidWith: NullableString,
  code: NullableString,
  totalMinor: Minor,
  refundedMinor: Minor,
  state: State,
  hasGift: Type.Boolean(),
})
export type ListedOrder = Static<typeof ListedOrder>

const FILTERS = {
  words: Type.Optional(Type.String({ maxLength: 100 })),
  /** `today`, `yesterday`, `week`, `month` or `2026-11-01..2026-11-30`, in the shop's time zone. */
  paid: Type.Optional(Type.String({ maxLength: 30 })),
  state: Type.Optional(Type.Unsafe<OrderState | 'look' | 'settled'>({ type: 'string' })),
  country: Type.Optional(Type.String({ maxLength: 20 })),
  /** In pounds, at least. */
  total: Type.Optional(Type.String({ pattern: String.raw`^\d{1,6}(\.\d{1,2})?$` })),
  code: Type.Optional(Type.String({ maxLength: 60 })),
  gift: Type.Optional(Type.Unsafe<'yes' | 'no'>({ type: 'string', enum: ['yes', 'no'] })),
} as const

export const listOrders = officeEndpoint({
  method: 'GET',
  path: '/api/office/orders',
  summary: 'Orders for which money was asked',
  may: 'orders.read',
  query: Type.Object({ ...LIST_QUERY, ...FILTERS }),
  reply: officePage(ListedOrder, Type.Object({ totalMinor: Minor })),
})
export const exportOrders = officeEndpoint({
  method: 'GET',
  path: '/api/office/orders/export',
  summary: 'The orders of a list as CSV',
  may: 'orders.export',
  fresh: true,
  query: Type.Object({ sort: LIST_QUERY.sort, ...FILTERS }),
})

const NumberOf = Type.Object({ number: Type.String({ pattern: '^M-[0-9]{1,12}$' }) })

export const WholeOrder = Type.Object({
  ...ListedOrder.properties,
  vatMinor: Minor,
  /** What may still go back: neither refunded nor on its way. */
  leftMinor: Minor,
  isPaid: Type.Boolean(),
  /** The provider's number of the payment. */
  paymentId: NullableString,
  isAccountClosed: Type.Boolean(),
  lines: Type.Array(
    Type.Object({
      place: Type.Integer(),
      title: Type.String(),
      priceMinor: Minor,
      vatPercent: Type.Integer(),
      giftFor: NullableString,
      /** The gift was opened, or taken back by its giver. */
      giftBecame: NullableString,
      refundedAt: nullable(Instant),
    }),
  ),
  /** Refunds in the provider's dashboard that fit several lines: the team says which one each was for. */
  undecided: Type.Array(
    Type.Object({
      amountMinor: Minor,
      foundAt: Instant,
      choices: Type.Array(
        Type.Object({
          place: Type.Integer(),
          title: Type.String(),
          /** What happens to the title. */
          does: Type.String(),
          email: nullable(Type.Object({ to: Type.String(), subject: Type.String(), text: Type.String() })),
        }),
      ),
    }),
  ),
  /** What happened, oldest first: payment attempts, refunds, emails, and what staff did. */
  timeline: Type.Array(
    Type.Object({
      at: Instant,
      kind: Type.Unsafe<'order' | 'payment' | 'refund' | 'email' | 'staff'>({ type: 'string' }),
      what: Type.String(),
      detail: NullableString,
      isBad: Type.Boolean(),
    }),
  ),
})
export type WholeOrder = Static<typeof WholeOrder>

export const getOrder = officeEndpoint({
  method: 'GET',
  path: '/api/office/orders/{number}',
  summary: 'One order, with what happened to it',
  may: 'orders.read',
  params: NumberOf,
  reply: WholeOrder,
})
export const sendReceiptAgain = officeEndpoint({
  method: 'POST',
  path: '/api/office/orders/{number}/receipt',
  summary: 'Send the confirmation of an order again',
  may: 'orders.change',
  params: NumberOf,
  reply: Type.Object({ to: Type.String() }),
})
export const deliverAgain = officeEndpoint({
  method: 'POST',
  path: '/api/office/orders/{number}/delivery',
  summary: 'Deliver what is missing of an order, or ask the provider whether it was paid',
  may: 'orders.change',
  params: NumberOf,
  reply: Type.Object({ outcomes: Type.Array(Type.String()) }),
})

const Refunding = {
  /** Places of lines on the order, from 1; absent for all that are left. */
  places: Type.Optional(Type.Array(Type.Integer({ minimum: 1, maximum: 99 }), { minItems: 1, maxItems: 99 })),
  /** The buyer keeps the titles. */
  keeps: Type.Boolean(),
  /** Only a part, which the buyer keeps the titles for. */
  amountMinor: Type.Optional(Type.Integer({ minimum: 1, maximum: 99_999_99 })),
}
export const planRefund = officeEndpoint({
  method: 'POST',
  path: '/api/office/orders/{number}/refund/plan',
  summary: 'What a refund would do, and what the buyer would be told',
  may: 'orders.refund',
  params: NumberOf,
  body: Type.Object(Refunding),
  reply: Type.Object({
    amountMinor: Minor,
    /** One sentence about each line. */
    lines: Type.Array(Type.String()),
    email: nullable(Type.Object({ to: Type.String(), subject: Type.String(), text: Type.String() })),
    /** The highest sum that the caller's role may refund; null for no limit. */
    limitMinor: nullable(Minor),
  }),
})
export const refund = officeEndpoint({
  method: 'POST',
  path: '/api/office/orders/{number}/refund',
  summary: 'Refund an order, lines of it or a sum',
  may: 'orders.refund',
  fresh: true,
  params: NumberOf,
  body: Type.Object({
    ...Refunding,
    /** The sum that was shown: another one is refused with 409. */
    shownMinor: Type.Integer({ minimum: 0 }),
    because: Type.String({ minLength: 1, maxLength: 500, pattern: String.raw`\S` }),
  }),
  reply: Type.Object({ what: Type.String() }),
})

export const assignRefund = officeEndpoint({
  method: 'POST',
  path: '/api/office/orders/{number}/assignment',
  summary: 'Say which line a refund in the provider’s dashboard was for; its title leaves the library',
  may: 'orders.refund',
  params: NumberOf,
  body: Type.Object({
    place: Type.Integer({ minimum: 1, maximum: 99 }),
    because: Type.String({ minLength: 1, maxLength: 500, pattern: String.raw`\S` }),
  }),
  reply: Type.Object({ what: Type.String() }),
})
