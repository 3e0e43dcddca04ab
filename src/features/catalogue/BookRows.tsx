import { Link } from '@tanstack/react-router'
import type { BookCard } from '#contract/catalogue.ts'
import { SampleButton } from '#features/samples/SampleButton.tsx'
import { Cover } from '#ui/Cover.tsx'
import { PriceLine } from './BookPrice.tsx'
import styles from './books.module.css'
import { useMark } from './marks.ts'
import { authorsOf, coverOf, lengthOf, linkTo } from './model.ts'

interface BookRowsProps {
  books: readonly BookCard[]
  level?: 'h2' | 'h3'
  /** With the price in a column of its own, where there is room for it. */
  wide?: boolean
}

/** A ruled list: cover, names and length, price and sample. */
export const BookRows = ({ books, level = 'h3', wide }: BookRowsProps) => (
  <ul role="list" className={styles.rows} data-wide={wide ? '' : undefined}>
    {books.map((book) => (
      <BookRow key={`${book.entityType}-${book.id}`} book={book} level={level} />
    ))}
  </ul>
)

function BookRow({ book, level: Heading }: { book: BookCard; level: 'h2' | 'h3' }) {
  const owned = useMark(book) === 'owned'
  return (
    <li className={styles.bookRow}>
      <Link {...linkTo(book)} className={styles.rowCover} tabIndex={-1} aria-hidden="true">
        <Cover picture={coverOf(book)} alt="" sizes="96px" lift />
      </Link>
      <div>
        <Heading className={styles.rowTitle}>
          <Link {...linkTo(book)}>{book.title}</Link>
        </Heading>
        <p className={styles.author}>{[authorsOf(book), lengthOf(book)].filter(Boolean).join(', ')}</p>
        {book.bookseller && <p className={styles.rowWords}>{book.bookseller.words}</p>}
      </div>
      <div className={styles.rowPrice}>
        <PriceLine book={book} />
        <SampleButton book={book} owned={owned} words="Sample" />
      </div>
    </li>
  )
}
