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

export function Pagination({ page, last, to, searchFor }: PaginationProps) {
  if (last <= 1) return null
  return (
    <nav aria-label="Pages" className={styles.pages}>
      {pagesToOffer(page, last).map((offer, index) =>
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
            {...(offer === page ? { 'aria-current': 'page' as const } : {})}
          >
            {offer}
          </Link>
        ),
      )}
      {page < last && (
        <Link to={to} search={searchFor(page + 1)} className={styles.next} rel="next" activeProps={{}}>
          Next page
        </Link>
      )}
    </nav>
  )
}
