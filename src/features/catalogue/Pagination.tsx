import { Link } from '@tanstack/react-router'
import { pagesToOffer } from './model.ts'
import styles from './Pagination.module.css'

interface PaginationProps {
  page: number
  last: number
  /** A screen's path, as it is written in the address. */
  to: string
  searchFor: (page: number) => Record<string, string>
}

/** Without it the first page, whose address says nothing of pages, would be the current one beside any other. */
const EXACT = { exact: true }

export function Pagination({ page, last, to, searchFor }: PaginationProps) {
  if (last <= 1) return null
  return (
    <nav aria-label="Pages" className={styles.pages}>
      {pagesToOffer(Math.min(page, last), last).map((offer, index) =>
        offer === 'gap' ? (
          <span key={`gap-${index}`} aria-hidden="true" className={styles.gap}>
            …
          </span>
        ) : (
          <Link
            key={offer}
            to={to}
            search={searchFor(offer)}
            className={styles.page}
            aria-label={`Page ${offer}`}
            activeProps={{}}
            activeOptions={EXACT}
            {...(offer === page ? { 'aria-current': 'page' as const } : {})}
          >
            {offer}
          </Link>
        ),
      )}
      {page < last && (
        <Link
          to={to}
          search={searchFor(page + 1)}
          className={styles.next}
          rel="next"
          activeProps={{}}
          activeOptions={EXACT}
        >
          Next page
        </Link>
      )}
    </nav>
  )
}
