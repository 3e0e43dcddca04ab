import { randomUUID } from 'node:crypto'
import { refused } from '../../http/http-errors.ts'
import { queueMail } from '../../integrations/mail/queue.ts'
import type { Shop } from '../../shop.ts'
import { confirmationOf, deliverAgain } from './service.ts'
import { lockOrder } from '../orders/queries.ts'
import { orderNumbered } from '../orders/service.ts'
import { settleOrder } from '../checkout/settle-payment.ts'

/** The confirmation of an order as it would be sent again. @throws 422 if it is unpaid or its buyer has no address */
export async function receiptOf({ db }: Pick<Shop, 'db'>, number: string, config?: Shop['config']) {
  const { order, lines } = await orderNumbered(db, number)
  if (order.state !== 'paid' || order.taken)
    throw refused(`${order.number} has no email: it was not paid for.`)
  if (order.buyerEmail === '') throw refused('Its buyer’s account is closed, so nobody can be written to.')
  return { order, mail: await confirmationOf(db, order, lines, config) }
}

export async function sendReceiptAgain(shop: Pick<Shop, 'db' | 'config'>, number: string): Promise<void> {
  const { order, mail } = await receiptOf(shop, number, shop.config)
  await queueMail(shop.db, { ...mail, key: `order_confirmed:${order.id}:${randomUUID()}` })
}

/**
 * Brings what is missing to the library and sends unopened gifts again. For an order that is not paid, asks the
 * provider first. Returns one line about each thing, and what a script reads.
 */
export async function deliverOrderAgain(
  shop: Shop,
  number: string,
): Promise<{ readonly lines: readonly string[]; readonly json: unknown }> {
  const { order, payment } = await orderNumbered(shop.db, number)
  if (order.state !== 'paid') {
    if (!payment?.intentId)
      throw refused(`${order.number} has no payment at the provider: nobody tried to pay.`)
    const { outcome } = await settleOrder(shop, payment.intentId)
    return {
      lines: [outcome === 'paid' ? 'It was paid, and is delivered.' : `It is not paid: ${outcome}.`],
      json: { outcome },
    }
  }
  const outcomes = await shop.db.transaction(async (tx) => {
    const locked = await lockOrder(tx, order.id)
    return deliverAgain(tx, shop, locked!)
  })
  return {
    lines: outcomes.map(({ line, outcome }) => `${line.title}: ${outcome}`),
    json: outcomes.map(({ line, outcome }) => ({ title: line.title, outcome })),
  }
}
