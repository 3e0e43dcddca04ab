import type { Order } from '#contract/orders.ts'
import type { Setting } from '#contract/pages.ts'
import { shop } from '#features/shop-details/shop.ts'
import { longDate } from '#format/date.ts'
import { Display } from '#ui/Display.tsx'
import { paidWords, statusWords } from './model.ts'
import { OrderLines } from './OrderLines.tsx'
import { OrderSums } from './Sums.tsx'
import styles from './orders.module.css'

function waiverWords(items: Order['orderItems'], day: string): string {
  const sentences = [
    items.some(({ gift }) => !gift) && `Delivered at once; the right to cancel was waived on ${day}.`,
    items.some(({ gift }) => gift) &&
      `Sent as a gift; agreed on ${day}: it can be taken back within 14 days, until it’s opened.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

interface ReceiptProps {
  order: Order
  /** The shop's details; undefined if they could not be loaded. */
  seller: Pick<Setting, 'address' | 'vatNumber'> | undefined
}

export function Receipt({ order, seller }: ReceiptProps) {
  const facts: [string, string][] = [
    ['Receipt number', order.orderNumber],
    ['Date', longDate(order.createdAt)],
    ['Sold by', [shop().seller, ...(seller?.address ?? [])].join('\n')],
    ['VAT number', seller?.vatNumber ?? ''],
    ['Sold to', [order.buyerName, order.buyerEmail].filter(Boolean).join(', ')],
    ['Paid with', paidWords(order)],
    ['Status', statusWords(order)],
  ]
  return (
    <article className={styles.receipt}>
      <dl className={styles.facts}>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <Display as="h2" size="sm">
        What was sold
      </Display>
      <OrderLines items={order.orderItems} />
      <OrderSums order={order} />
      {order.waiverAt && (
        <p className={styles.small}>
          {waiverWords(order.orderItems, longDate(order.waiverAt))} Prices include VAT.
        </p>
      )}
    </article>
  )
}
