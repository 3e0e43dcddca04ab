import type { Db } from '../../db/open.ts'
import { notFound } from '../../http/http-errors.ts'
import { type BasketSource, type Bought, fingerprintOf } from './basket.ts'
import {
  insertOrder,
  lockOrder,
  lockSource,
  type OrderRow,
  selectBuyer,
  selectHasPaid,
  selectNewestPaid,
  selectOrder,
  selectWaitingOrder,
  updateReservation,
  updateWaiting,
} from './queries.ts'

interface Freezing {
  readonly basket: Bought
  readonly source: Pick<BasketSource, 'buyer'> & { readonly id: string | null }
  /** Stands for the money where nothing is bought. */
  readonly taken?: 'free' | 'credit' | 'card'
  readonly waiver: boolean
  /** Until when nobody else can have its use of the code. */
  readonly couponReservedUntil?: Date | null
  readonly now: Date
}

/** A basket becomes an order that waits for its payment: lines, VAT and total never change from here on. */
export async function freeze(
  tx: Db,
  { basket, source, waiver, couponReservedUntil = null, now, taken }: Freezing,
): Promise<OrderRow> {
  const { userId, country, visitor } = source.buyer
  const buyer = userId === null ? visitor : await selectBuyer(tx, userId)
  if (!buyer) throw notFound()
  const { code } = basket
  return insertOrder(
    tx,
    {
      userId,
      cartId: source.id,
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

/** A buyer who comes back to pay a waiting order has the use of its code for longer. */
export const reserveUntil = (tx: Db, id: string, couponReservedUntil: Date): Promise<void> =>
  updateReservation(tx, id, couponReservedUntil)

/** Nobody will pay it any more; false where it does not wait for that. The order may be paid later all the same. */
export const abandonOrder = (tx: Db, id: string): Promise<boolean> => updateWaiting(tx, id, 'abandoned')

/** Until the transaction ends nobody else orders from a source that is no row of its own. */
export const lockSourceOf = (tx: Db, id: string): Promise<void> => lockSource(tx, id)

/** Held until the transaction ends, so that only one call settles an order and the others find it done. */
export const lockOrderOf = (tx: Db, id: string): Promise<OrderRow | undefined> => lockOrder(tx, id)

/** As it stands; undefined for one that is not ours. */
export const findOrder = (db: Db, id: string): Promise<OrderRow | undefined> => selectOrder(db, id)

/** The order that waits for its payment, of what came from a source. */
export const waitingOrderOf = (db: Db, sourceId: string): Promise<OrderRow | undefined> =>
  selectWaitingOrder(db, sourceId)

/** The last order from a source that was paid since then. */
export const newestPaidOf = (db: Db, sourceId: string, since: Date): Promise<OrderRow | undefined> =>
  selectNewestPaid(db, sourceId, since)

/** True if this account ever paid for something with money. */
export const hasPaid = (db: Db, userId: string): Promise<boolean> => selectHasPaid(db, userId)

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim()
