import type { BookCard } from '#contract/catalogue.ts'
import { MESSAGES } from '#contract/messages.ts'
import { price, toMinor } from '#format/money.ts'
import { Price } from '#ui/Price.tsx'
import styles from './BookPrice.module.css'

/** What the book costs here, on a band; or that it cannot be had. */
export function BookPrice({ book }: { book: BookCard }) {
  if (!book.published) return <p className={styles.state}>{MESSAGES.notAvailable}</p>
  if (book.geoBlocked) return <p className={styles.state}>{MESSAGES.notAvailableInRegion}</p>
  if (book.price === 0) return <Price now="Free" tone="title" />
  const members = toMinor(book.subscriptionPrice)
  return (
    <Price
      now={price(toMinor(book.price))}
      members={members < toMinor(book.price) ? price(members) : undefined}
      tone="title"
    />
  )
}
