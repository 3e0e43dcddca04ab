import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { giverToken } from '../gifts/giver-actions.ts'
import { type Line, type OrderRow, selectBuyer } from '../orders/queries.ts'
import { wasRoundedUp } from '../orders/fulfilment.ts'
import { wholeOrder } from '../orders/search.ts'
import { writtenSellerOf } from '../pages/service.ts'
import { selectTitleGiftsOfLines } from '../gifts/queries.ts'

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

/**
 * The email that confirms an order, without its key.
 *
 * @param config left out if the email is only displayed: it then has no link to the gift
 */
export async function confirmationOf(
  db: Db,
  order: OrderRow,
  lines: readonly Line[],
  config?: Shop['config'],
) {
  const { userId } = order
  // The giver of a membership gets a separate email.
  const given = lines.filter(({ gift, sold }) => gift && sold.kind === 'title')
  const gifts = await selectTitleGiftsOfLines(
    db,
    given.map(({ id }) => id),
  )
  return {
    to: order.buyerEmail,
    kind: 'order_confirmed',
    data: {
      firstName: (userId && (await selectBuyer(db, userId))?.firstName) || order.buyerName,
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
      lines: lines.map(({ title, priceMinor, giftEmail }) => ({
        title,
        priceMinor,
        ...(giftEmail === null ? {} : { giftTo: giftEmail }),
      })),
      totalMinor: order.totalMinor,
      vatMinor: order.vatMinor,
      ...(order.couponCode === null ? {} : { discount: discountOf(order, order.couponCode, lines) }),
    },
  } as const
}

const discountOf = (order: OrderRow, code: string, lines: readonly Line[]) => ({
  code,
  savedMinor: order.beforeDiscountMinor - order.totalMinor,
  roundedPercent: wasRoundedUp(order, lines) ? order.percentDiscount : null,
})
