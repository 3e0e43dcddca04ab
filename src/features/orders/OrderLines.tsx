import { Link } from '@tanstack/react-router'
import type { OrderItem } from '#contract/orders.ts'
import { longDate } from '#format/date.ts'
import { amount, toMinor } from '#format/money.ts'
import { kindWords } from './model.ts'
import styles from './orders.module.css'

interface OrderLinesProps {
  items: readonly OrderItem[]
  /** A receipt names what was sold; elsewhere the titles lead to their pages. */
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
                A gift for {item.giftEmail ?? 'somebody'},{' '}
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
            {toMinor(item.originalPrice) > toMinor(item.price) && (
              <s className="quiet">{amount(toMinor(item.originalPrice))}</s>
            )}
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
