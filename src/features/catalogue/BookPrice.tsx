import type { BookCard } from '#contract/catalogue.ts'
import { MESSAGES } from '#contract/messages.ts'
import { has } from '#features/shop-details/shop.ts'
import { price, toMinor } from '#format/money.ts'
import { useIsMember } from '#session/store.ts'
import { Price } from '#ui/Price.tsx'
import styles from './books.module.css'

export function BookPrice({ book }: { book: BookCard }) {
  const isMember = useIsMember()
  if (!book.published) return <p className={styles.state}>{MESSAGES.notAvailable}</p>
  if (book.geoBlocked) return <p className={styles.state}>{MESSAGES.notAvailableInRegion}</p>
  if (book.price === 0) return <Price now="Free" />
  const members = toMinor(book.subscriptionPrice)
  const cheaper = members < toMinor(book.price)
  // Members see their own price large (ROLE-11).
  if (isMember && cheaper) return <Price now={price(members)} others={price(toMinor(book.price))} />
  return (
    <Price
      now={price(toMinor(book.price))}
      members={cheaper && has('membership') ? price(members) : undefined}
    />
  )
}

interface PriceLineProps {
  book: BookCard
  insteadOfPrice?: string | undefined
}

export const PriceLine = (props: PriceLineProps) => (
  <p className={styles.price}>
    <PriceMessage {...props} />
  </p>
)

function PriceMessage({ book, insteadOfPrice }: PriceLineProps) {
  const isMember = useIsMember()
  if (!book.published) return <>{MESSAGES.notAvailable}</>
  if (book.geoBlocked) return <>{MESSAGES.notAvailableInRegion}</>
  if (book.price === 0) return <em className={styles.free}>Free</em>
  if (insteadOfPrice) return <em className={styles.free}>{insteadOfPrice}</em>
  const members = toMinor(book.subscriptionPrice)
  if (isMember && members < toMinor(book.price))
    return (
      <>
        <em>{price(members)} for members</em> · {price(toMinor(book.price))}
      </>
    )
  return (
    <>
      {price(toMinor(book.price))}
      {members < toMinor(book.price) && has('membership') && (
        <>
          {' · '}
          <em>{price(members)} for members</em>
        </>
      )}
    </>
  )
}
