import { Link } from '@tanstack/react-router'
import type { BookCard } from '#contract/catalogue.ts'
import { Cover } from '#ui/Cover.tsx'
import { PriceLine } from './BookPrice.tsx'
import styles from './books.module.css'
import { authorsOf, coverOf, lengthOf, linkTo } from './model.ts'

interface BookRowsProps {
  books: readonly BookCard[]
  level?: 'h2' | 'h3'
}

/** A ruled list: cover, names and length, price and sample. */
export function BookRows({ books, level: Heading = 'h3' }: BookRowsProps) {
  return (
    <ul role="list" className={styles.rows}>
      {books.map((book) => {
        const length = lengthOf(book)
        return (
          <li key={`${book.entityType}-${book.id}`} className={styles.bookRow}>
            <Link {...linkTo(book)} className={styles.rowCover} tabIndex={-1} aria-hidden="true">
              <Cover picture={coverOf(book)} alt="" sizes="96px" lift />
            </Link>
            <div className={styles.rowWords}>
              <Heading className={styles.rowTitle}>
                <Link {...linkTo(book)}>{book.title}</Link>
              </Heading>
              <p className={styles.author}>{[authorsOf(book), length].filter(Boolean).join(', ')}</p>
            </div>
            <div className={styles.rowPrice}>
              <PriceLine book={book} />
            </div>
          </li>
        )
      })}
    </ul>
  )
}
