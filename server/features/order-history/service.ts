import type { PageOf } from '#contract/calculations/hydra-list.ts'
import type { Db } from '../../db/open.ts'
import { notFound } from '../../http/http-errors.ts'
import {
  countOrders,
  type Line,
  type OrderRow,
  type PaymentRow,
  selectLines,
  selectOrder,
  selectOrders,
  selectPayments,
} from '../orders/queries.ts'
import { spread } from '../prices/pricing.ts'
import { type RefundRow, selectSentGoodwill } from '../refunds/queries.ts'
import { selectTitleGiftsOfLines, selectMembershipGiftsOfLines } from '../gifts/queries.ts'

export interface OrderShown {
  readonly order: OrderRow
  readonly lines: readonly Line[]
  readonly payment: PaymentRow | undefined
  readonly gifts: ReadonlyMap<
    string | null,
    { readonly email: string; readonly day: string | null; readonly claimedAt: Date | null }
  >
  readonly goodwill: ReadonlyMap<string, readonly LineRefund[]>
}

interface LineRefund {
  readonly amountMinor: number
  readonly refundedAt: Date
}

export async function listOrders(
  db: Db,
  userId: string,
  { page, itemsPerPage }: PageOf,
): Promise<{ orders: OrderShown[]; total: number }> {
  const slice = { offset: (page - 1) * itemsPerPage, limit: itemsPerPage }
  const [rows, total] = await Promise.all([selectOrders(db, userId, slice), countOrders(db, userId)])
  return { orders: await shown(db, rows), total }
}

/** @throws 404 for another account's order, and for a title that was taken without payment */
export async function seeOrder(db: Db, userId: string, id: string): Promise<OrderShown> {
  const order = await selectOrder(db, id)
  if (!order || order.userId !== userId || order.taken !== null) throw notFound()
  return (await shown(db, [order]))[0]!
}

async function shown(db: Db, rows: readonly OrderRow[]): Promise<OrderShown[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [lines, payments, refunds] = await Promise.all([
    selectLines(db, ids),
    selectPayments(db, ids),
    selectSentGoodwill(db, ids),
  ])
  const given = lines.filter(({ gift }) => gift).map(({ id }) => id)
  const gifts = new Map(
    [...(await selectTitleGiftsOfLines(db, given)), ...(await selectMembershipGiftsOfLines(db, given))].map(
      (gift) => [gift.orderLineId, gift],
    ),
  )
  const goodwill = goodwillByLine(lines, refunds)
  return rows.map((order) => ({
    order,
    lines: lines.filter(({ orderId }) => orderId === order.id),
    payment: payments.find(({ orderId }) => orderId === order.id),
    gifts,
    goodwill,
  }))
}

/** A refund of several lines is divided in proportion to their prices, as in the sales figures. */
function goodwillByLine(
  lines: readonly Line[],
  refunds: readonly RefundRow[],
): ReadonlyMap<string, readonly LineRefund[]> {
  const byLine = new Map<string, LineRefund[]>()
  for (const { amountMinor, lineIds, updatedAt } of refunds) {
    const named = lines.filter(({ id }) => lineIds?.includes(id))
    const shares = spread(
      amountMinor,
      named.map(({ priceMinor }) => priceMinor),
    )
    named.forEach(({ id }, index) => {
      const refund = { amountMinor: shares[index]!, refundedAt: updatedAt }
      byLine.set(id, [...(byLine.get(id) ?? []), refund])
    })
  }
  return byLine
}
