import type { BookCard } from '#contract/catalogue.ts'
import { MESSAGES } from '#contract/messages.ts'
import { has } from '#features/shop-details/shop.ts'
import { price, toMinor } from '#format/money.ts'
import { useIsMember } from '#session/store.ts'
import { Price } from '#ui/Price.tsx'
import styles from './books.module.css'

/** The price of the book here, on a band; or that it cannot be had. */
export function BookPrice({ book }: { book: BookCard }) {
  const isMember = useIsMember()
  if (!book.published) return <p className={styles.state}>{MESSAGES.notAvailable}</p>
  if (book.geoBlocked) return <p className={styles.state}>{MESSAGES.notAvailableInRegion}</p>
  if (book.price === 0) return <Price now="Free" />
  const members = toMinor(book.subscriptionPrice)
  const cheaper = members < toMinor(book.price)
  // Members see theirs large (ROLE-11).
  if (isMember && cheaper) return <Price now={price(members)} others={price(toMinor(book.price))} />
  return (
    <Price
      now={price(toMinor(book.price))}
      members={cheaper && has('membership') ? price(members) : undefined}
    />
  )
}
