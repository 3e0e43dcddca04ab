import type { ReactNode } from 'react'
import type { BookCard as Book } from '#contract/catalogue.ts'
import { GRID_SIZES } from '#ui/Cover.tsx'
import { BookCard } from './BookCard.tsx'
import styles from './books.module.css'

/** Covers of the first row and a half are fetched at once; the rest as they come near. */
const EAGER = 4

interface BookGridProps {
  books: readonly Book[]
  /** While other results are on their way: dimmed, never blanked. */
  waiting?: boolean
  /** Beside a panel: fewer in a row. */
  narrow?: boolean
  corner?: (book: Book) => ReactNode
  insteadOfPrice?: string | undefined
}

/** 2, 3 or 4 a row by breakpoint; both formats share a baseline. */
export function BookGrid({ books, waiting, narrow, corner, insteadOfPrice }: BookGridProps) {
  return (
    <ul
      role="list"
      className={styles.grid}
      data-waiting={waiting ? '' : undefined}
      data-narrow={narrow ? '' : undefined}
      aria-busy={waiting}
    >
      {books.map((book, index) => (
        <li key={`${book.entityType}-${book.id}`}>
          <BookCard
            book={book}
            sizes={GRID_SIZES}
            level="h2"
            withLength
            eager={index < EAGER}
            corner={corner?.(book)}
            insteadOfPrice={insteadOfPrice}
          />
        </li>
      ))}
    </ul>
  )
}
