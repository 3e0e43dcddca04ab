import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { notFound } from '../../http/http-errors.ts'
import { type Bought, type Buyer, fingerprintOf } from './basket.ts'
import {
  insertOrder,
  lockOrder,
  lockSource,
  type OrderRow,
  type OrderSource,
  selectBuyer,
  selectHasPaid,
  selectNewestPaid,
  selectOrder,
  selectWaitingOrder,
  updateOrderState,
  updateReservation,
  anonymiseOrders,
  deleteTaken,
} from './queries.ts'

interface Freezing {
  readonly basket: Bought
  readonly source: OrderSource | null
  readonly buyer: Buyer
  /** Set if something other than money pays: the title is free, or a free audiobook or a card pays for it. */
  readonly taken?: 'free' | 'credit' | 'card'
  readonly waiver: boolean
  /** Until then no other order can have this use of the discount code. */
  readonly couponReservedUntil?: Date | null
  readonly now: BusinessTime
}

/**
 * Creates an order that awaits payment from a basket. Its lines, VAT and total never change afterwards.
 * @throws 404 if the buyer's account no longer exists
 */
export async function freeze(
  tx: Db,
  {
    basket,
    source,
    buyer: { userId, country, visitor },
    waiver,
    couponReservedUntil = null,
    now,
    taken,
  }: Freezing,
): Promise<OrderRow> {
  const buyer = userId === null ? visitor : await selectBuyer(tx, userId)
  if (!buyer) throw notFound()
  const { code } = basket
  return insertOrder(
    tx,
    {
      userId,
      sourceKind: source?.kind ?? null,
      sourceId: source?.id ?? null,
      taken,
      state: 'awaiting_payment',
      fingerprint: fingerprintOf(basket),
      totalMinor: basket.totalMinor,
      vatMinor: basket.vatMinor,
      beforeDiscountMinor: basket.beforeMinor,
      couponCode: code?.code ?? null,
      percentDiscount: code?.percent ?? null,
      couponReservedUntil,
      buyerName: nameOf(buyer),
      buyerEmail: buyer.email,
      countryCode: country,
      waiverAt: waiver ? now : null,
      createdAt: now,
    },
    basket.lines.map((line) => ({
      sold: line.sold,
      title: line.title,
      originalMinor: line.originalMinor,
      priceMinor: line.priceMinor,
      vatPercent: line.vatPercent,
      vatMinor: line.vatMinor,
      couponCode: line.reduced ? (code?.code ?? null) : null,
      percentDiscount: line.reduced ? (code?.percent ?? null) : null,
      gift: line.gift !== null,
      giftEmail: line.gift?.email ?? null,
      giftMessage: line.gift?.message ?? null,
      cartItemId: line.itemId,
    })),
  )
}

/** Extends the reservation of the discount code for a buyer who returns to pay. */
export const reserveUntil = (tx: Db, id: string, couponReservedUntil: Date): Promise<void> =>
  updateReservation(tx, id, couponReservedUntil)

/**
 * Marks an order as abandoned; returns false if it does not await payment. A payment that arrives later still pays it.
 */
export const abandonOrder = (tx: Db, id: string): Promise<boolean> => updateOrderState(tx, id, 'abandoned')

/** Locks a source that has no row of its own, such as a gift, until the transaction ends: one order at a time. */
export const lockSourceOf = (tx: Db, source: OrderSource): Promise<void> => lockSource(tx, source)

/** Locks an order until the transaction ends, so that one call settles it and concurrent calls find it settled. */
export const lockOrderOf = (tx: Db, id: string): Promise<OrderRow | undefined> => lockOrder(tx, id)

export const findOrder = (db: Db, id: string): Promise<OrderRow | undefined> => selectOrder(db, id)

export const waitingOrderOf = (db: Db, source: OrderSource): Promise<OrderRow | undefined> =>
  selectWaitingOrder(db, source)

/** The newest order from this source that was paid at `since` or later. */
export const newestPaidOf = (db: Db, source: OrderSource, since: Date): Promise<OrderRow | undefined> =>
  selectNewestPaid(db, source, since)

/** True if the account has ever paid money for something. */
export const hasPaid = (db: Db, userId: string): Promise<boolean> => selectHasPaid(db, userId)

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim()

/**
 * The law requires the amounts of a sale and the country of its VAT, but not the buyer's identity. Titles that were
 * taken without payment are no sales, so those orders are deleted.
 */
export async function forgetBuyer(tx: Db, userId: string): Promise<void> {
  await deleteTaken(tx, userId)
  await anonymiseOrders(tx, userId)
}
