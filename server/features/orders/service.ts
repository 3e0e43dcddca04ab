import type { Wallet } from '#contract/wallets.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { notFound, type Refusal } from '../../http/http-errors.ts'
import {
  insertOrder,
  type OrderRow,
  type OrderSource,
  selectBuyer,
  updateOrderState,
  anonymiseOrders,
  deleteTaken,
  type Line,
  selectLines,
  updateDelivered,
  updatePayment,
  type FoundOrder,
  selectFoundOrders,
  selectOrderNumbered,
  type PaymentRow,
  selectOrder,
  selectPayments,
} from './queries.ts'
import { type DomainEvents, emit } from '../../domain-events.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { isRoundedUp, vatIn, vatPercentOf } from '../prices/pricing.ts'
import {
  lineColumns,
  type Delivery,
  type ForBuyer,
  productOf,
  type Refused,
  type Sold,
} from '../products/product.ts'
import { formatPounds } from '../../format.ts'
import type { orders } from '../../db/schema/orders.ts'
import { createHash } from 'node:crypto'
import type { VatRates } from '../../settings/owners-terms.ts'

interface NewOrder {
  readonly basket: Bought
  readonly source: OrderSource | null
  readonly buyer: Buyer
  /** Set if something other than money pays: the title is free, or a free audiobook or a card pays for it. */
  readonly taken?: 'free' | 'credit' | 'card'
  readonly waiver: boolean
  readonly consentWords?: string | null
  /** Until then no other order can have this use of the discount code. */
  readonly couponReservedUntil?: Date | null
  readonly now: BusinessTime
}

/** Its lines, VAT and total never change afterwards. */
export async function createOrder(
  tx: Db,
  {
    basket,
    source,
    buyer: { userId, country, visitor },
    waiver,
    consentWords = null,
    couponReservedUntil = null,
    now,
    taken,
  }: NewOrder,
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
      consentWords,
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
      giftDay: line.gift?.day ?? null,
      giftZone: line.gift?.zone ?? null,
      cartItemId: line.itemId,
    })),
  )
}

/** Returns false if it does not await payment. A payment that arrives later still pays it. */
export const abandonOrder = (tx: Db, id: string): Promise<boolean> => updateOrderState(tx, id, 'abandoned')

const nameOf = ({ firstName, lastName }: { firstName: string; lastName: string }): string =>
  `${firstName} ${lastName}`.trim()

/** The law requires amounts and the VAT's country, not names. Orders without payment are no sales: delete them. */
export async function forgetBuyer(tx: Db, userId: string): Promise<void> {
  await deleteTaken(tx, userId)
  await anonymiseOrders(tx, userId)
}

interface PaidBy {
  readonly type: 'card' | 'paypal' | 'free'
  readonly last4: string | null
  readonly wallet?: Wallet | null
}

/**
 * The caller has locked the order and checked that it was not paid before. Further effects: `OrderPaid` handlers.
 * @returns why lines were refused, if any were; the caller refunds them
 */
export async function payOrder(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  order: OrderRow,
  paidBy: PaidBy,
): Promise<{ refused: readonly Refused[] }> {
  const now = shop.clock.now()
  const { userId } = order
  const lines = await selectLines(tx, [order.id])
  await markPaid(tx, order, now)
  await updatePayment(tx, order.id, paidBy)
  // An account deleted during the payment has no library and no name; the reconciliation refunds the order.
  const isClosedAccount = userId === null && order.buyerEmail === ''
  const refused = isClosedAccount
    ? lines.map(() => 'nobody' as const)
    : await deliverLines(tx, shop, { ...order, source: order.taken ?? 'purchase' }, lines)
  await emit(tx, shop, 'OrderPaid', {
    ...paidEvent(order, now),
    cartItemIds: lines.flatMap(({ cartItemId }) => cartItemId ?? []),
    isCheckout: !isClosedAccount,
  })
  if (userId !== null && order.taken === null)
    await publish(tx, userId, { type: 'new_order', uuid: order.id }, now)
  return { refused }
}

export async function recordPaid(
  tx: Db,
  shop: Pick<Shop, 'config'>,
  order: OrderRow,
  {
    paidBy,
    paidAt,
    deliveredId,
  }: { readonly paidBy: PaidBy; readonly paidAt: Date; readonly deliveredId: string },
): Promise<void> {
  await markPaid(tx, order, paidAt)
  await updatePayment(tx, order.id, paidBy)
  for (const line of await selectLines(tx, [order.id])) await updateDelivered(tx, line, deliveredId)
  await emit(tx, shop, 'OrderPaid', { ...paidEvent(order, paidAt), cartItemIds: [], isCheckout: false })
  if (order.userId !== null) await publish(tx, order.userId, { type: 'new_order', uuid: order.id }, paidAt)
}

async function markPaid(tx: Db, { id, number }: OrderRow, paidAt: BusinessTime): Promise<void> {
  if (!(await updateOrderState(tx, id, 'paid', { paidAt })))
    throw new Error(`Order ${number} is paid already`)
}

const paidEvent = (order: OrderRow, paidAt: BusinessTime) =>
  ({
    orderId: order.id,
    userId: order.userId,
    couponCode: order.couponCode,
    cartId: order.sourceKind === 'cart' ? order.sourceId : null,
    taken: order.taken,
    paidAt,
  }) satisfies Partial<DomainEvents['OrderPaid']>

async function deliverLines(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  order: OrderRow & { source: ForBuyer['source'] },
  lines: readonly Line[],
): Promise<readonly Refused[]> {
  const refused: Refused[] = []
  for (const line of lines) {
    const delivery = await deliverLine(tx, shop, order, line)
    if ('refused' in delivery) refused.push(delivery.refused)
    // A gift refers to its order line. The line refers to its gift only if its kind has a column for it.
    else if (line.giftEmail === null || lineColumns(line.sold).storesGifts)
      await updateDelivered(tx, line, delivery.deliveredId)
  }
  return refused
}

export async function deliverLine(
  tx: Db,
  shop: Pick<Shop, 'config' | 'clock'>,
  { userId, source, ...order }: OrderRow & { source: ForBuyer['source'] },
  { id, sold, title, priceMinor, giftEmail, giftMessage, giftDay, giftZone }: Line,
): Promise<Delivery> {
  const { givenWithoutAccount, deliver, give } = productOf(sold)
  if (giftEmail !== null && (userId !== null || givenWithoutAccount))
    return give(tx, shop, sold, {
      orderId: order.id,
      orderLineId: id,
      title,
      giver: { id: userId, name: order.buyerName, email: order.buyerEmail },
      email: giftEmail,
      message: giftMessage,
      giftDay,
      giftZone,
      paidMinor: priceMinor,
    })
  return userId === null ? { refused: 'nobody' } : deliver(tx, shop, sold, { userId, source })
}

export const wasRoundedUp = (order: OrderRow, lines: readonly Line[]): boolean =>
  lines.every(({ originalMinor, couponCode }) => originalMinor === 0 || couponCode !== null) &&
  isRoundedUp({
    beforeMinor: order.beforeDiscountMinor,
    totalMinor: order.totalMinor,
    percent: order.percentDiscount,
  })

const FOUND_AT_MOST = 50

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

export function stateWords({ state, taken, totalMinor, refundedMinor, disputedAt }: StatedOrder): string {
  if (disputedAt) return 'disputed at the bank'
  if (state !== 'paid') return state.replace('_', ' ')
  if (taken) return TAKEN[taken]
  if (refundedMinor === 0) return 'paid'
  return refundedMinor === totalMinor ? 'paid back' : `${formatPounds(refundedMinor)} paid back`
}

const TAKEN = { free: 'free title', credit: 'with a free audiobook', card: 'with a card' } as const

export interface Bought {
  readonly lines: readonly BasketLine[]
  readonly totalMinor: number
  readonly vatMinor: number
  readonly beforeMinor: number
  readonly code: { readonly code: string; readonly percent: number | null } | null
}

export interface Basket extends Bought {
  readonly refusal: Refusal | null
  readonly hasUnknownCode: boolean
}

export interface BasketLine {
  readonly sold: Sold
  readonly title: string
  readonly originalMinor: number
  readonly priceMinor: number
  readonly vatPercent: number
  readonly vatMinor: number
  readonly reduced: boolean
  readonly gift: {
    readonly email: string | null
    readonly message: string | null
    /** For a title; a membership's day is in `sold`. */
    readonly day?: string | null
    readonly zone?: string | null
  } | null
  readonly itemId: string | null
}

export interface Buyer {
  readonly userId: string | null
  readonly visitor?: { readonly email: string; readonly firstName: string; readonly lastName: string }
  readonly country: string
}

/** The source of a basket. Paying its order empties it. */
export interface BasketSource extends OrderSource {
  readonly buyer: Buyer
  readonly hold: (tx: Db) => Promise<void>
  readonly open: (db: Db) => Promise<Basket>
  /** The consent that the buyer must give if it costs anything; by default, to waive the right to cancel. */
  readonly consent?: { readonly propertyPath: string; readonly words: string }
  readonly sendsGifts: (db: Db) => Promise<boolean>
}

export function fingerprintOf({ code, lines }: Bought): string {
  const parts = lines.map(({ itemId, sold, originalMinor, priceMinor, gift }) => [
    itemId,
    sold,
    originalMinor,
    priceMinor,
    gift && [gift.email, gift.message, ...(gift.day ? [gift.day, gift.zone] : [])],
  ])
  return createHash('sha256')
    .update(JSON.stringify([code?.code ?? null, parts]))
    .digest('base64url')
}

interface OneLine extends Pick<BasketLine, 'sold' | 'title' | 'originalMinor' | 'priceMinor' | 'vatPercent'> {
  readonly code?: Bought['code']
  readonly gift?: BasketLine['gift']
}

export function oneLineBasket({ code = null, gift = null, ...line }: OneLine): Bought {
  const { priceMinor, originalMinor, vatPercent } = line
  const vatMinor = vatIn(priceMinor, vatPercent)
  return {
    lines: [{ ...line, gift, vatMinor, reduced: code !== null, itemId: null }],
    totalMinor: priceMinor,
    vatMinor,
    beforeMinor: originalMinor,
    code,
  }
}

export const freeBasket = (sold: Sold, title: string, rates: VatRates): Bought =>
  oneLineBasket({ sold, title, originalMinor: 0, priceMinor: 0, vatPercent: vatPercentOf(sold, rates) })
