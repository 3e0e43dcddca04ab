import { keepPreviousData, type QueryClient, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import type { BookCard } from '#contract/catalogue.ts'
import { MESSAGES } from '#contract/messages.ts'
import { useListViews } from '#features/analytics/use-views.ts'
import { BookGrid } from '#features/catalogue/BookCards.tsx'
import { loadOptions } from '#features/catalogue/filter-options.ts'
import { type BookFilter, filterOf, type ListingSearch, searchOf } from '#features/catalogue/filter.ts'
import { FilteredShelf } from '#features/catalogue/FilteredShelf.tsx'
import type { BookKind } from '#features/catalogue/model.ts'
import { Pagination } from '#features/catalogue/Pagination.tsx'
import { booksQuery } from '#features/catalogue/queries.ts'
import { plural } from '#format/plural.ts'
import { Display } from '#ui/Display.tsx'
import { Empty } from '#ui/Empty.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import { useAskedSearch } from '../-layout/use-asked-search.ts'
import styles from './catalogue.module.css'

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
  filter: BookFilter
}

export function ListingScreen({ kind, filter: loaded }: ListingScreenProps) {
  const { title, path, description } = WORDS[kind]
  const filter = useAskedSearch(path, loaded, READERS[kind])
  // Keep the previous page, dimmed, while the next one loads (LIST-11).
  const { data, isPlaceholderData } = useQuery({
    ...booksQuery(kind, filter),
    placeholderData: keepPreviousData,
  })
  const navigate = useNavigate()
  const total = data?.['hydra:totalItems'] ?? 0
  const last = Math.ceil(total / filter.itemsPerPage)
  const searchFor = (page: number) => searchOf({ ...filter, page }, kind)
  const books: readonly BookCard[] = data?.['hydra:member'] ?? NONE
  useListViews({
    list: title,
    key: JSON.stringify(filter),
    pages: isPlaceholderData ? [] : [books],
    first: (filter.page - 1) * filter.itemsPerPage + 1,
  })

  const change = (next: BookFilter) =>
    void navigate({ to: path, search: searchOf(next, kind), resetScroll: false })
  return (
    <Wrap className={styles.listing}>
      <PageHead
        title={title}
        description={description}
        canonical={canonicalOf(path, filter, kind)}
        feed={{ type: 'application/opds+json', title, path: `/opds${path}` }}
      />
      <div className={styles.head}>
        <Display as="h1" size="lg">
          {title}
        </Display>
        <p role="status">{plural(total, 'result')}</p>
      </div>
      <FilteredShelf kind={kind} filter={filter} onChange={change} total={total}>
        {(narrow) => (
          <>
            {data && books.length === 0 ? (
              <div className={styles.found} aria-busy={isPlaceholderData}>
                <NothingListed path={path} name={title.toLowerCase()} last={last} searchFor={searchFor} />
              </div>
            ) : (
              <BookGrid books={books} waiting={isPlaceholderData} narrow={narrow} />
            )}
            <Pagination page={filter.page} last={last} to={path} searchFor={searchFor} />
          </>
        )}
      </FilteredShelf>
    </Wrap>
  )
}

function canonicalOf(path: string, filter: BookFilter, kind: BookKind): string {
  const search = new URLSearchParams(searchOf(filter, kind)).toString()
  return search ? `${path}?${search}` : path
}

interface NothingListedProps {
  /** The name as in a sentence. */
  path: '/audiobooks' | '/ebooks'
  name: string
  /** The number of pages that match. */
  last: number
  searchFor: (page: number) => ListingSearch
}

/** Nothing matches, or the page is past the last one. */
export const NothingListed = ({ path, name, last, searchFor }: NothingListedProps) =>
  last > 0 ? (
    <Empty
      title={last === 1 ? 'There’s only one page.' : `There are only ${last} pages.`}
      action={
        <LinkButton to={path} look="solid" search={searchFor(last)}>
          {last === 1 ? 'Back to the first page' : 'Go to the last page'}
        </LinkButton>
      }
    />
  ) : (
    <Empty
      title={MESSAGES.noResultsListing}
      action={
        <LinkButton to={path} look="solid">
          See all {name}
        </LinkButton>
      }
    />
  )

export async function loadListing(
  queryClient: QueryClient,
  kind: BookKind,
  filter: BookFilter,
): Promise<void> {
  await Promise.all([queryClient.ensureQueryData(booksQuery(kind, filter)), loadOptions(queryClient, filter)])
}
