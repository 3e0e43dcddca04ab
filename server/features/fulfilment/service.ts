import { giveBook, isScheduled, restoreGift, takeBackGift, sendGiftAgain } from '../gifts/title-gifts.ts'
import { selectOwnsByEmail, selectTitleGiftsOfLines, type TitleGiftRow } from '../gifts/queries.ts'
import { grantTitle } from '../library/service.ts'
import { deleteEntry } from '../library/queries.ts'
import type { Product } from '../products/product.ts'
import {
  giveMembership,
  suspendMembership,
  takeBackMembership,
  sendMembershipGiftOfLineAgain,
} from '../gifts/membership-gifts.ts'
import type { Transaction, Db } from '../../db/open.ts'
import type { Shop } from '../../shop.ts'
import { publish } from '../feed/service.ts'
import { deliverLine, wasRoundedUp, wholeOrder } from '../orders/service.ts'
import { type Line, updateDelivered, type OrderRow, selectLines, selectBuyer } from '../orders/queries.ts'
import { coversOf } from '../../integrations/mail/cover-queries.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import { giverToken } from '../gifts/giver-actions.ts'
import { dayIn } from '../../format.ts'
import { writtenSellerOf } from '../pages/service.ts'

export const titleProduct: Product<'title'> = {
  async deliver(tx, shop, { bookId }, { userId, source }) {
    const entry = await grantTitle(tx, { userId, bookId, source, addedAt: shop.clock.now() })
    return entry === null ? { refused: 'owned' } : { deliveredId: entry }
  },
  give: async (tx, shop, { bookId, format }, { title: called, giftDay: day, giftZone: zone, ...to }) => ({
    deliveredId: await giveBook(tx, shop, { ...to, day, zone, book: { id: bookId, title: called, format } }),
  }),
  hasAlready: (tx, { bookId }, email) => selectOwnsByEmail(tx, bookId, email),
  takeBack: deleteEntry,
  takeBackGiven: takeBackGift,
  restore: (tx, shop, sold, to) => titleProduct.deliver(tx, shop, sold, to),
  restoreGiven: restoreGift,
}

/** A membership. The provider's invoices sell it (`membership/invoice-orders.ts`), so the checkout refuses it. */
export const membershipProduct: Product<'membership'> = {
  deliver: async () => ({ refused: 'elsewhere' }),
  give: async () => ({ refused: 'elsewhere' }),
  hasAlready: async () => false,
  takeBack: async () => undefined,
  takeBackGiven: async () => undefined,
}

export const membershipGiftProduct: Product<'membership_gift'> = {
  deliver: async () => ({ refused: 'elsewhere' }),
  give: async (
    tx,
    shop,
    { kind: _kind, ...sold },
    { title: _title, giftDay: _day, giftZone: _zone, ...to },
  ) => ({
    deliveredId: await giveMembership(tx, shop, { ...sold, ...to }),
  }),
  givenWithoutAccount: true,
  hasAlready: async () => false,
  takeBack: async () => undefined,
  takeBackGiven: (tx, line, now) => takeBackMembership(tx, line, now),
  suspendGiven: (tx, line, at) => suspendMembership(tx, line, at),
}

type DeliveredAgain = 'delivered' | 'sent again' | 'there already' | 'paid back' | 'nobody'

/** Titles missing from the library, and unclaimed gifts under a new link. The caller has locked the order. */
export async function deliverAgain(
  tx: Transaction,
  shop: Pick<Shop, 'config' | 'clock' | 'now'>,
  order: OrderRow,
): Promise<{ readonly line: Line; readonly outcome: DeliveredAgain }[]> {
  const outcomes: { line: Line; outcome: DeliveredAgain }[] = []
  for (const line of await selectLines(tx, [order.id]))
    outcomes.push({ line, outcome: await deliverLineAgain(tx, shop, order, line) })
  if (order.userId !== null) await publish(tx, order.userId, { type: 'library' }, shop.clock.now())
  return outcomes
}

async function deliverLineAgain(
  tx: Transaction,
  shop: Pick<Shop, 'config' | 'clock' | 'now'>,
  order: OrderRow,
  line: Line,
): Promise<DeliveredAgain> {
  if (line.refundedAt) return 'paid back'
  if (line.sold.kind === 'membership') return 'there already'
  if (line.gift) {
    const isSent =
      line.sold.kind === 'membership_gift'
        ? await sendMembershipGiftOfLineAgain(tx, shop, line.id)
        : await sendGiftAgain(tx, shop, { orderLineId: line.id, title: line.title })
    if (isSent !== null) return isSent ? 'sent again' : 'there already'
  }
  const delivery = await deliverLine(tx, shop, { ...order, source: order.taken ?? 'purchase' }, line)
  if ('refused' in delivery) return delivery.refused === 'nobody' ? 'nobody' : 'there already'
  if (!line.gift) await updateDelivered(tx, line, delivery.deliveredId)
  return 'delivered'
}

export async function mailConfirmation(
  tx: Db,
  { orderId }: { readonly orderId: string },
  { config }: Pick<Shop, 'config'>,
): Promise<void> {
  const { order, lines } = (await wholeOrder(tx, orderId))!
  await queueMail(tx, {
    ...(await confirmationOf(tx, order, lines, config)),
    key: `order_confirmed:${order.id}`,
  })
}

/** @param config left out if the email is only displayed: it then has no link to the gift */
export async function confirmationOf(
  db: Db,
  order: OrderRow,
  lines: readonly Line[],
  config?: Shop['config'],
) {
  const { userId } = order
  const buyer = userId === null ? undefined : await selectBuyer(db, userId)
  const given = lines.filter(({ gift, sold }) => gift && sold.kind === 'title')
  const gifts = await selectTitleGiftsOfLines(
    db,
    given.map(({ id }) => id),
  )
  return {
    to: order.buyerEmail,
    kind: 'order_confirmed',
    data: {
      firstName: buyer?.firstName || order.buyerName,
      ...(buyer?.withoutPassword && { withoutPassword: true as const }),
      orderNumber: order.number,
      // A visitor has no page of orders, so this email is the receipt.
      ...(userId === null
        ? { path: null, seller: await writtenSellerOf(db) }
        : { path: `/orders/${order.id}` }),
      forOneself: lines.some(({ gift }) => !gift),
      ...(given.length === 0 || userId === null
        ? {}
        : {
            booksGiven: given.length,
            ...(config && gifts.length === 1
              ? { giverToken: giverToken(config, { kind: 'book', id: gifts[0]!.id }) }
              : {}),
          }),
      lines: lines.map(({ id, title, priceMinor, giftEmail }) => ({
        title,
        priceMinor,
        ...(giftEmail === null ? {} : { giftTo: giftEmail, ...arrivalOf(gifts, id) }),
      })),
      covers: await coversOf(
        db,
        lines.flatMap(({ sold }) => (sold.kind === 'title' ? [sold.bookId] : [])),
      ),
      totalMinor: order.totalMinor,
      vatMinor: order.vatMinor,
      ...(order.couponCode === null ? {} : { discount: discountOf(order, order.couponCode, lines) }),
    },
  } as const
}

function arrivalOf(gifts: readonly TitleGiftRow[], orderLineId: string): { giftOn?: string } {
  const gift = gifts.find((each) => each.orderLineId === orderLineId)
  return gift?.zone && isScheduled(gift) ? { giftOn: dayIn(gift.zone, gift.deliverAt!) } : {}
}

const discountOf = (order: OrderRow, code: string, lines: readonly Line[]) => ({
  code,
  savedMinor: order.beforeDiscountMinor - order.totalMinor,
  roundedPercent: wasRoundedUp(order, lines) ? order.percentDiscount : null,
})
