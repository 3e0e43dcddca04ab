import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, startTransition, Suspense, useDeferredValue, useEffect, useState } from 'react'
import type { BookCard } from '#contract/catalogue.ts'
import { DESKTOP_WIDTH } from '#contract/limits.ts'
import { useListViews } from '#features/analytics/use-views.ts'
import { BookGrid } from '#features/catalogue/BookGrid.tsx'
import { filterOf, isNarrowed, searchOf, type BookFilter } from '#features/catalogue/filter.ts'
import { useFilterOptions } from '#features/catalogue/filter-options.ts'
import { FilterBar } from '#features/catalogue/FilterBar.tsx'
import type { BookKind } from '#features/catalogue/model.ts'
import { Pagination } from '#features/catalogue/Pagination.tsx'
import { booksQuery } from '#features/catalogue/queries.ts'
import { plural } from '#format/plural.ts'
import { Display } from '#ui/Display.tsx'
import { VisuallyHidden } from '#ui/VisuallyHidden.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/PageHead.tsx'
import styles from './ListingScreen.module.css'
import { NothingListed } from './NothingListed.tsx'
import { useAskedSearch } from '../layout/use-asked-search.ts'

const FilterGroups = lazy(async () => ({
  default: (await import('#features/catalogue/FilterGroups.tsx')).FilterGroups,
}))
const FilterSheet = lazy(async () => ({ default: (await import('./FilterSheet.tsx')).FilterSheet }))

const WORDS = {
  audio_books: {
    title: 'Audiobooks',
    path: '/audiobooks',
    description:
      'Every audiobook on our shelves, newest first. Listen to a sample of each before you choose.',
  },
  e_books: {
    title: 'E-books',
    path: '/ebooks',
    description: 'Every e-book on our shelves, newest first, yours to keep and to read anywhere.',
  },
} as const

const NONE: readonly BookCard[] = []
const READERS = {
  audio_books: (search: Readonly<Record<string, unknown>>) => filterOf(search, 'audio_books'),
  e_books: (search: Readonly<Record<string, unknown>>) => filterOf(search, 'e_books'),
}

interface ListingScreenProps {
  kind: BookKind
  /** What the loader has brought. */
  filter: BookFilter
}

export function ListingScreen({ kind, filter: loaded }: ListingScreenProps) {
  const { title, path, description } = WORDS[kind]
  const filter = useAskedSearch(path, loaded, READERS[kind])
  // The page before stays, dimmed, while the next one is on its way (LIST-11).
  const { data, isPlaceholderData } = useQuery({
    ...booksQuery(kind, filter),
    placeholderData: keepPreviousData,
  })
  const [panel, setPanel] = useState(false)
  const [sheet, setSheet] = useState(false)
  const options = useFilterOptions(kind, panel || sheet || isNarrowed(filter))
  const navigate = useNavigate()
  const total = data?.['hydra:totalItems'] ?? 0
  const last = Math.ceil(total / filter.itemsPerPage)
  const searchFor = (page: number) => searchOf({ ...filter, page }, kind)
  const found: readonly BookCard[] = data?.['hydra:member'] ?? NONE
  const address = canonicalOf(path, filter, kind)
  // What a press here asked for. The press is painted before the new shelf is drawn, however fast the answer; the
  // shelf that Back and Forward return to is drawn at once, or the scroll position would be lost.
  const [pressed, setPressed] = useState('')
  useEffect(() => setPressed((asked) => (asked === address ? asked : '')), [address])
  const before = useDeferredValue(found)
  const books = pressed === address && found.length > 0 && before.length > 0 ? before : found
  useListViews({
    list: title,
    key: JSON.stringify(filter),
    pages: isPlaceholderData ? [] : [found],
    first: (filter.page - 1) * filter.itemsPerPage + 1,
  })

  const change = (next: BookFilter) => {
    setPressed(canonicalOf(path, next, kind))
    void navigate({ to: path, search: searchOf(next, kind), resetScroll: false })
  }
  const toggle = () => {
    if (window.innerWidth < DESKTOP_WIDTH) setSheet(true)
    // The shelf beside it has to be laid out again; a slow computer responds to the press first.
    else startTransition(() => setPanel((open) => !open))
  }
  const groups = { kind, filter, options, onChange: change }
  return (
    <Wrap className={styles.listing}>
      <PageHead
        title={title}
        description={description}
        canonical={address}
        feed={{ type: 'application/opds+json', title, path: `/opds${path}` }}
      />
      <div className={styles.head}>
        <Display as="h1" size="lg">
          {title}
        </Display>
        <p role="status">{plural(total, 'result')}</p>
      </div>
      <FilterBar {...groups} open={panel} onToggle={toggle} />
      <div className={styles.shelf} data-panel={panel ? '' : undefined}>
        {panel && (
          <aside aria-label="Filters" className={styles.panel}>
            <h2>
              <VisuallyHidden>Filters</VisuallyHidden>
            </h2>
            <Suspense>
              <FilterGroups {...groups} />
            </Suspense>
          </aside>
        )}
        <div>
          {data && books.length === 0 ? (
            <div className={styles.found} aria-busy={isPlaceholderData}>
              <NothingListed path={path} name={title.toLowerCase()} last={last} searchFor={searchFor} />
            </div>
          ) : (
            <BookGrid books={books} waiting={isPlaceholderData || books !== found} narrow={panel} />
          )}
          <Pagination page={filter.page} last={last} to={path} searchFor={searchFor} />
        </div>
      </div>
      {sheet && (
        <Suspense>
          <FilterSheet {...groups} total={total} open={sheet} onOpenChange={setSheet} />
        </Suspense>
      )}
    </Wrap>
  )
}

function canonicalOf(path: string, filter: BookFilter, kind: BookKind): string {
  const search = new URLSearchParams(searchOf(filter, kind)).toString()
  return search ? `${path}?${search}` : path
}
