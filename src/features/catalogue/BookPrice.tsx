import { CheckIcon } from '@phosphor-icons/react/dist/csr/Check'
import type { BookCard } from '#contract/catalogue.ts'
import { MESSAGES } from '#contract/messages.ts'
import { has } from '#features/shop-details/shop.ts'
import { price, toMinor } from '#format/money.ts'
import { useIsMember } from '#session/store.ts'
import { Icon } from '#ui/Icon.tsx'
import { Price } from '#ui/Price.tsx'
import styles from './books.module.css'
import { useMark } from './marks.ts'

interface BookPriceProps {
  book: BookCard
  /** Members see theirs alone: for lists. */
  single?: boolean
  /** Adds “or free” if the user can choose it as a free audiobook. */
  withChoice?: boolean
}

export function BookPrice({ book, single = false, withChoice = false }: BookPriceProps) {
  const isMember = useIsMember()
  const orFree = useMark(book) === 'choose' && withChoice ? ' or free' : ''
  if (!book.published) return <p className={styles.state}>{MESSAGES.notAvailable}</p>
  if (book.geoBlocked) return <p className={styles.state}>{MESSAGES.notAvailableInRegion}</p>
  if (book.price === 0) return <Price now="Free" />
  const members = toMinor(book.subscriptionPrice)
  const cheaper = members < toMinor(book.price)
  // Members see their own price large (ROLE-11).
  if (isMember && cheaper)
    return <Price now={price(members) + orFree} others={single ? undefined : price(toMinor(book.price))} />
  return (
    <Price
      now={price(toMinor(book.price)) + orFree}
      members={cheaper && has('membership') ? price(members) : undefined}
    />
  )
}

interface PriceLineProps {
  book: BookCard
  /** Both prices on one line where there is room, for lists in rows. */
  inRow?: boolean
}

/** Of a card: the price for this user, or what they have instead of paying it. */
export const PriceLine = ({ book, inRow = false }: PriceLineProps) => (
  <p className={styles.price} data-row={inRow ? '' : undefined}>
    <PriceMessage book={book} />
  </p>
)

function PriceMessage({ book }: { book: BookCard }) {
  const isMember = useIsMember()
  const mark = useMark(book)
  if (mark === 'owned')
    return (
      <span className={styles.owned}>
        <Icon of={CheckIcon} size={18} />
        In library
      </span>
    )
  if (!book.published) return <>{MESSAGES.notAvailable}</>
  if (book.geoBlocked) return <>{MESSAGES.notAvailableInRegion}</>
  if (book.price === 0) return <em className={styles.free}>Free</em>
  const members = toMinor(book.subscriptionPrice)
  const cheaper = members < toMinor(book.price)
  if (mark === 'choose') return <em>{price(isMember && cheaper ? members : toMinor(book.price))} or free</em>
  // Members see one price, theirs (ROLE-11).
  if (isMember && cheaper) return <em>{price(members)}</em>
  return (
    <>
      <span>{price(toMinor(book.price))}</span>
      {cheaper && has('membership') && (
        <em>
          {price(members)} <span className={styles.whole}>for members</span>
        </em>
      )}
    </>
  )
}
