import { Link } from '@tanstack/react-router'
import type { OrderMember } from '#contract/orders.ts'
import { longDate } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { Display } from '#ui/Display.tsx'
import { paidWords, statusWords } from './model.ts'
import styles from './orders.module.css'
import { OrderLines } from './OrderLines.tsx'

/** One order of the list: number, date, amount, items, and the way to its receipt (ORDER-06). */
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
