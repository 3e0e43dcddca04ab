import { Link } from '@tanstack/react-router'
import type { OrderItem, OrderMember } from '#contract/orders.ts'
import { longDate, weekdayAndDay } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { Display } from '#ui/Display.tsx'
import { WasPrice } from '#ui/Price.tsx'
import { kindWords, paidWords, statusWords } from './model.ts'
import styles from './orders.module.css'

interface OrderLinesProps {
  items: readonly OrderItem[]
  /** Links each title to its page; not on a receipt. */
  linked?: boolean
}

export function OrderLines({ items, linked }: OrderLinesProps) {
  return (
    <ul role="list" className={styles.lines}>
      {items.map((item) => (
        <li key={item.id}>
          <div>
            <p className={styles.title}>{linked ? <TitleLink item={item} /> : item.title}</p>
            <p className={styles.kind}>{kindWords(item)}</p>
            {item.gift && (
              <p className={styles.kind}>
                A gift for {item.giftEmail ?? 'somebody'}
                {item.giftDeliveryDate && ` on ${weekdayAndDay(item.giftDeliveryDate)}`},{' '}
                {item.giftClaimedAt ? 'claimed' : 'not claimed yet'}
              </p>
            )}
            {item.goodwillRefunds?.map((refund, index) => (
              <p key={index} className={styles.back}>
                {amount(toMinor(refund.amount))} refunded on {longDate(refund.refundedAt)}
              </p>
            ))}
            {item.refundedAt && <p className={styles.back}>Refunded on {longDate(item.refundedAt)}</p>}
          </div>
          <p className={styles.price}>
            <WasPrice className="quiet" before={toMinor(item.originalPrice)} now={toMinor(item.price)} />
            <b>{amount(toMinor(item.price))}</b>
          </p>
        </li>
      ))}
    </ul>
  )
}

function TitleLink({ item }: { item: OrderItem }) {
  const book = item.audioBook ?? item.eBook
  if (!book) return <>{item.title}</>
  return (
    <Link to={item.audioBook ? '/audiobooks/$slug' : '/ebooks/$slug'} params={{ slug: book.slug }}>
      {item.title}
    </Link>
  )
}

/** One order in the list: number, date, amount, items, and a link to its receipt (ORDER-06). */
export function OrderEntry({ order }: { order: OrderMember }) {
  const status = statusWords(order)
  return (
    <article className={styles.order} aria-labelledby={order.uuid}>
      <div className={styles.head}>
        <Display as="h2" size="sm" id={order.uuid}>
          Order {order.orderNumber}
        </Display>
        <p className={styles.amount}>{amount(toMinor(order.amount))}</p>
      </div>
      <p className={styles.when}>
        <time dateTime={order.createdAt}>{longDate(order.createdAt)}</time>
        {[paidWords(order), status].filter(Boolean).map((words) => (
          <span key={words}>{words}</span>
        ))}
      </p>
      <OrderLines items={order.orderItems} linked />
      <p>
        <Link
          to="/orders/$id"
          params={{ id: order.uuid }}
          className="text-link"
          aria-label={`Receipt for order ${order.orderNumber}`}
        >
          Receipt
        </Link>
      </p>
    </article>
  )
}
