import type { Db } from '../../db/open.ts'
import { notFound } from '../../http/http-errors.ts'
import {
  type FoundOrder,
  selectFoundOrders,
  selectOrderNumbered,
  type Line,
  type OrderRow,
  type PaymentRow,
  selectLines,
  selectOrder,
  selectPayments,
} from './queries.ts'
import { formatPounds } from '../../format.ts'
import type { orders } from '../../db/schema/orders.ts'

const FOUND_AT_MOST = 50

/** For the shop's owner: includes unpaid orders and titles that were taken without payment. */
export const findOrders = (db: Db, words: string): Promise<FoundOrder[]> =>
  selectFoundOrders(db, words.trim(), FOUND_AT_MOST)

interface WholeOrder {
  readonly order: OrderRow
  readonly lines: readonly Line[]
  readonly payment: PaymentRow | undefined
}

export async function wholeOrder(db: Db, id: string): Promise<WholeOrder | undefined> {
  const order = await selectOrder(db, id)
  return order && withLines(db, order)
}

/** @throws 404 with a message that says how to search */
export async function orderNumbered(db: Db, typed: string): Promise<WholeOrder> {
  const order = await selectOrderNumbered(db, typed.trim().toUpperCase())
  if (!order) throw notFound(`There is no order ${typed}. Look for it: npm run orders -- find WORDS`)
  return withLines(db, order)
}

async function withLines(db: Db, order: OrderRow): Promise<WholeOrder> {
  const lines = await selectLines(db, [order.id])
  const [payment] = await selectPayments(db, [order.id])
  return { order, lines, payment }
}

type StatedOrder = Pick<
  typeof orders.$inferSelect,
  'state' | 'taken' | 'totalMinor' | 'refundedMinor' | 'disputedAt'
>

/** The state of an order for the shop's owner: "paid", "£4.00 paid back", "awaiting payment". */
export function stateWords({ state, taken, totalMinor, refundedMinor, disputedAt }: StatedOrder): string {
  if (disputedAt) return 'disputed at the bank'
  if (state !== 'paid') return state.replace('_', ' ')
  if (taken) return TAKEN[taken]
  if (refundedMinor === 0) return 'paid'
  return refundedMinor === totalMinor ? 'paid back' : `${formatPounds(refundedMinor)} paid back`
}

const TAKEN = { free: 'free title', credit: 'with a free audiobook', card: 'with a card' } as const
