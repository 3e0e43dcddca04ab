import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { SearchShortcuts } from '#app/menus/SearchShortcuts.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { MESSAGES } from '#contract/messages.ts'
import { useListViews } from '#features/analytics/use-views.ts'
import { BookCarousel } from '#features/catalogue/BookCards.tsx'
import { browseQuery } from '#features/catalogue/queries.ts'
import { cleared, isNarrowed } from '#features/catalogue/filter-options.ts'
import type { BookFilter } from '#features/catalogue/filter.ts'
import { FilteredShelf } from '#features/catalogue/FilteredShelf.tsx'
import { itemIn } from '#features/editorial/model.ts'
import { bookSearchAddress, bookSearch, type BookSearch } from '#features/search/address.ts'
import { keywordIn, peopleNamed } from '#features/search/model.ts'
import { booksFor, loadBooks, quickQuery } from '#features/search/queries.ts'
import { firstShelf, isOpen } from '#features/shop-details/shop.ts'
import { plural } from '#format/plural.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { cx } from '#ui/cx.ts'
import { Empty } from '#ui/Empty.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from '#routes/-catalogue/catalogue.module.css'
import found from '#routes/-search/search.module.css'
import { LoadMore, useLoadMore } from '#routes/-layout/LoadMore.tsx'
import { useAskedSearch } from '#routes/-layout/use-asked-search.ts'
import {
  FoundBooks,
  FoundItems,
  FoundKind,
  FoundPeople,
  FoundSeries,
  OtherSearch,
  useArrowKeys,
  FoundTop,
} from '#routes/-search/SearchResults.tsx'

export const Route = createFileRoute('/search-books')({
  validateSearch: (search) => bookSearchAddress(bookSearch(search)),
  loaderDeps: ({ search }) => bookSearch(search),
  loader: async ({ context: { queryClient }, deps }) => {
    const loading = keywordIn(deps.typed) === null && queryClient.prefetchQuery(newTitlesQuery())
    // In the browser the page opens without waiting for them.
    if (typeof document === 'undefined') await loading
    return loadBooks(queryClient, deps)
  },
  component: () => <SearchBooksScreen search={Route.useLoaderDeps()} />,
})

const NO_PAGES: readonly never[] = []

/** Fewer titles fit into one view, so they need no filters. */
const FILTERED_FROM = 6

const newTitlesQuery = () => browseQuery({ styles: [] })

/** Length and nationality apply to both formats here (OP-25). */
const KIND = 'audio_books'

function SearchBooksScreen({ search: shown }: { search: BookSearch }) {
  const search = useAskedSearch('/search-books', shown, bookSearch)
  const { typed, sort, filter } = search
  const keyword = keywordIn(shown.typed)
  const query = useInfiniteQuery({ ...booksFor(shown), placeholderData: keepPreviousData })
  const navigate = useNavigate()
  const pages = keyword === null ? NO_PAGES : (query.data?.pages ?? NO_PAGES)
  const books = useMemo(() => pages.flatMap((page) => page['hydra:member']), [pages])
  const excerpts = useMemo(() => Object.assign({}, ...pages.map((page) => page.excerpts)), [pages])
  const total = pages[0]?.['hydra:totalItems'] ?? 0
  const series = pages[0]?.series ?? []
  const isEmpty = pages.length > 0 && books.length === 0
  const narrowed = isNarrowed(shown.filter)
  const meant = pages[0]?.didYouMean
  const marked = meant ?? shown.typed
  const people = useMemo(() => (keyword === null ? [] : peopleNamed(books, marked)), [books, keyword, marked])
  const { data: others } = useQuery({ ...quickQuery(keyword ?? ''), enabled: keyword !== null && !narrowed })
  const journal =
    keyword === null || narrowed ? [] : (others?.articles ?? []).flatMap((one) => itemIn(one) ?? [])
  useListViews({
    list: 'Search results',
    key: JSON.stringify({ keyword, sort: shown.sort, filter: { ...shown.filter, page: 1 } }),
    pages: query.isPlaceholderData ? [] : pages.map((page) => page['hydra:member']),
  })

  const go = (next: BookSearch, replace = false) =>
    void navigate({ to: '/search-books', search: bookSearchAddress(next), replace, resetScroll: false })
  const change = (next: BookFilter) => go({ ...search, filter: { ...next, page: 1 } })
  const loadMore = useLoadMore(query, (page) => go({ ...search, filter: { ...filter, page } }, true))
  const waiting = query.isPlaceholderData || isOther(search, shown)
  const nothing = (
    <div className={cx(styles.found, found.nothing)} aria-busy={waiting}>
      <Nothing narrowed={narrowed} onWiden={() => change(cleared(filter))} />
    </div>
  )
  const isComplete = !query.hasNextPage && !narrowed
  const isNothing = isEmpty && !narrowed && series.length === 0 && journal.length === 0
  const page = useRef<HTMLDivElement>(null)
  useArrowKeys(page)
  return (
    <Wrap className={styles.listing}>
      <PageHead
        title="Search books"
        description="Find a book by its title, its author, its reader or what it is about."
        canonical="/search-books"
      />
      <div ref={page}>
        <FilteredShelf
          kind={KIND}
          filter={filter}
          onChange={change}
          clear="Remove all"
          total={total}
          top={(bar) => (
            <FoundTop
              title="Search books"
              keyword={typed}
              found={shown.typed}
              sort={sort}
              count={
                keyword === null
                  ? null
                  : countOf(total, isComplete ? people.length : 0, series.length, journal.length)
              }
              also={
                total > 0 && journal.length > 0
                  ? { words: `${others!.articlesTotal} in the journal`, section: 'journal' }
                  : undefined
              }
              isEmpty={isNothing}
              meant={meant}
              filters={(total >= FILTERED_FROM || narrowed) && bar}
              canSort={total >= FILTERED_FROM}
              isNarrowed={isNarrowed(filter)}
              onSearch={(next) => go({ ...search, typed: next, filter: { ...filter, page: 1 } }, true)}
              onSort={(next) => go({ ...search, sort: next, filter: { ...filter, page: 1 } })}
            />
          )}
        >
          {(narrow) =>
            isEmpty
              ? (narrowed || isNothing) && nothing
              : books.length > 0 && (
                  <FoundKind title="Titles" count={total} stacked={narrow}>
                    <FoundBooks books={books} keyword={marked} excerpts={excerpts} waiting={waiting} />
                    <LoadMore
                      more={query.hasNextPage}
                      busy={query.isFetchingNextPage}
                      failed={query.isFetchNextPageError}
                      onPress={loadMore}
                    />
                  </FoundKind>
                )
          }
        </FilteredShelf>
        {keyword === null && (
          <div className={found.shortcuts}>
            <SearchShortcuts />
          </div>
        )}
        {people.length > 0 && (
          <FoundKind title="People" count={isComplete ? people.length : undefined}>
            <FoundPeople people={people} keyword={marked} complete={isComplete} />
          </FoundKind>
        )}
        {series.length > 0 && (
          <FoundKind title="Series" count={series.length}>
            <FoundSeries series={series} books={books} keyword={marked} />
          </FoundKind>
        )}
        {journal.length > 0 && (
          <FoundKind title="Journal" id="journal" count={others!.articlesTotal}>
            <FoundItems items={journal} keyword={marked} excerpts={others?.excerpts} />
            <LinkButton look="text" to="/search-articles" search={{ keyword: typed }}>
              {others!.articlesTotal > journal.length
                ? `All ${others!.articlesTotal} in the journal`
                : 'Search articles'}
            </LinkButton>
          </FoundKind>
        )}
        {isOpen('/search-articles') && journal.length === 0 && (
          <OtherSearch label="Search articles" to="/search-articles" keyword={typed} />
        )}
        {(keyword === null || isNothing) && <NewTitles />}
      </div>
    </Wrap>
  )
}

/** "2 titles, 1 person, 1 series"; the journal, which another link counts, only if nothing else was found. */
const countOf = (titles: number, people: number, series: number, journal: number) =>
  titles > 0
    ? [
        plural(titles, 'title'),
        people > 0 && plural(people, 'person', 'people'),
        series > 0 && `${series} series`,
      ]
        .filter(Boolean)
        .join(', ')
    : plural(series + journal, 'result')

/** To hear something before a word is typed, or if nothing was found. */
function NewTitles() {
  const { data } = useQuery(newTitlesQuery())
  return (
    <div className={found.new}>
      <BookCarousel title="New in the shop" books={data?.['hydra:member'] ?? []} short />
    </div>
  )
}

/** True if the address asks for other results than those on screen, not only more pages. */
const isOther = (asked: BookSearch, shown: BookSearch) =>
  JSON.stringify(firstPage(asked)) !== JSON.stringify(firstPage(shown))
const firstPage = (search: BookSearch) =>
  bookSearchAddress({ ...search, filter: { ...search.filter, page: 1 } })

function Nothing({ narrowed, onWiden }: { narrowed: boolean; onWiden: () => void }) {
  return (
    <Empty
      plain
      title={MESSAGES.noResults}
      action={
        narrowed ? (
          <Button look="solid" onClick={onWiden}>
            Search without filters
          </Button>
        ) : (
          <LinkButton to={firstShelf().to} look="solid">
            Visit our collection
          </LinkButton>
        )
      }
    />
  )
}
