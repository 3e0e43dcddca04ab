import { Link } from '@tanstack/react-router'
import styles from './books.module.css'

interface PaginationProps {
  page: number
  last: number
  to: string
  searchFor: (page: number) => Record<string, string>
}

/** Without `exact`, the first page, whose address has no number, would be current on every page. */
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

/**
 * Page numbers to offer: 4 neighbours on the first page, 3 after the second, 2 on each side from the third on (OP-26).
 * The first and last page are always among them.
 */
export function pagesToOffer(page: number, last: number): (number | 'gap')[] {
  const after = page === 1 ? 4 : page === 2 ? 3 : 2
  const from = Math.max(1, page - 2)
  const to = Math.min(last, page + after)
  const near = Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step)
  return [
    ...(from > 1 ? [1] : []),
    ...(from > 2 ? (['gap'] as const) : []),
    ...near,
    ...(to < last - 1 ? (['gap'] as const) : []),
    ...(to < last ? [last] : []),
  ]
}
