import type { BookCard } from '#contract/catalogue.ts'
import { MESSAGES } from '#contract/messages.ts'
import { has } from '#features/shop-details/shop.ts'
import { price, toMinor } from '#format/money.ts'
import { useIsMember } from '#session/store.ts'
import styles from './books.module.css'

interface PriceLineProps {
  book: BookCard
  insteadOfPrice?: string | undefined
}

/** The price on a card, a member's beside it; or that the book cannot be had. */
export const PriceLine = (props: PriceLineProps) => (
  <p className={styles.price}>
    <Words {...props} />
  </p>
)

function Words({ book, insteadOfPrice }: PriceLineProps) {
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
