import { Link } from '@tanstack/react-router'
import { memo, type ReactNode } from 'react'
import type { BookCard as Book } from '#contract/catalogue.ts'
import { Cover } from '#ui/Cover.tsx'
import styles from './books.module.css'
import { authorsOf, coverOf, lengthOf, linkTo, placeOf } from './model.ts'
import { PriceLine } from './PriceLine.tsx'

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
  const place = placeOf(book)
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
      {place && <p className={styles.author}>{place}</p>}
      <PriceLine book={book} insteadOfPrice={insteadOfPrice} />
    </Link>
  )
})
