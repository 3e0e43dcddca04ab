import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import type { BookCard as Book } from '#contract/catalogue.ts'
import { MESSAGES } from '#contract/messages.ts'
import { price, toMinor } from '#format/money.ts'
import { useIsMember } from '#session/store.ts'
import { Cover } from '#ui/Cover.tsx'
import styles from './books.module.css'
import { authorsOf, coverOf, lengthOf, linkTo } from './model.ts'

interface BookCardProps {
  book: Book
  /** The width of the cover, for its `sizes`. */
  sizes: string
  level?: 'h2' | 'h3'
  /** Lengths help choosing in a listing; a carousel says less. */
  withLength?: boolean
  /** Above the first fold. */
  eager?: boolean
  /** In the place of a price that this person need not pay just now: "Free this month". */
  insteadOfPrice?: string | undefined
  /** In the corner of the cover: owned, in the bag. */
  corner?: ReactNode
}

/** One link: cover, title, author, price. A shelf of them stays as it is while something beside it changes. */
export const BookCard = memo(function BookCard({
  book,
  sizes,
  level: Heading = 'h3',
  withLength,
  eager,
  insteadOfPrice,
  corner,
}: BookCardProps) {
  const length = withLength ? lengthOf(book) : ''
  return (
    <Link {...linkTo(book)} className={styles.card}>
      <span className={styles.cover} data-format={book.entityType}>
        <Cover
          picture={coverOf(book)}
          alt=""
          sizes={sizes}
          lift
          eager={eager}
          dim={!book.published || book.geoBlocked}
        />
        {corner}
      </span>
      <Heading className={styles.title}>{book.title}</Heading>
      <p className={styles.author}>
        {authorsOf(book)}
        {length && (
          <>
            , <span className={styles.whole}>{length}</span>
          </>
        )}
      </p>
      <p className={styles.price}>
        <PriceLine book={book} insteadOfPrice={insteadOfPrice} />
      </p>
    </Link>
  )
})

function PriceLine({ book, insteadOfPrice }: Pick<BookCardProps, 'book' | 'insteadOfPrice'>) {
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
      {members < toMinor(book.price) && (
        <>
          {' · '}
          <em>{price(members)} for members</em>
        </>
      )}
    </>
  )
}
