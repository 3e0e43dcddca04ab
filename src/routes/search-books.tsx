import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { MESSAGES } from '#contract/messages.ts'
import { useListViews } from '#features/analytics/use-views.ts'
import { BookGrid } from '#features/catalogue/BookCards.tsx'
import { type BookFilter, cleared, isNarrowed } from '#features/catalogue/filter.ts'
import { FilteredShelf } from '#features/catalogue/FilteredShelf.tsx'
import { addressOf, bookSearch, type BookSearch } from '#features/search/book-search.ts'
import { keywordIn } from '#features/search/model.ts'
import { booksFor, loadBooks } from '#features/search/queries.ts'
import { firstShelf, isOpen } from '#features/shop-details/shop.ts'
import { plural } from '#format/plural.ts'
import { Button, LinkButton } from '#ui/Button.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from '#routes/-catalogue/catalogue.module.css'
import { LoadMore, useLoadMore } from '#routes/-layout/LoadMore.tsx'
import { useAskedSearch } from '#routes/-layout/use-asked-search.ts'
import { FoundTop } from '#routes/-search/FoundTop.tsx'

export const Route = createFileRoute('/search-books')({
  validateSearch: (search) => addressOf(bookSearch(search)),
  loaderDeps: ({ search }) => bookSearch(search),
  loader: ({ context: { queryClient }, deps }) => loadBooks(queryClient, deps),
  component: () => <SearchBooksScreen search={Route.useLoaderDeps()} />,
})

/** Length and nationality apply to both formats here (OP-25). */
const KIND = 'audio_books'

function SearchBooksScreen({ search: shown }: { search: BookSearch }) {
  const search = useAskedSearch('/search-books', shown, bookSearch)
  const { typed, sort, filter } = search
  const keyword = keywordIn(shown.typed)
  const query = useInfiniteQuery({ ...booksFor(shown), placeholderData: keepPreviousData })
  const navigate = useNavigate()
  const pages = keyword === null ? [] : (query.data?.pages ?? [])
  const books = pages.flatMap((page) => page['hydra:member'])
  const total = pages[0]?.['hydra:totalItems'] ?? 0
  const series = pages[0]?.series ?? []
  const isEmpty = pages.length > 0 && books.length === 0
  useListViews({
    list: 'Search results',
    key: JSON.stringify({ keyword, sort: shown.sort, filter: { ...shown.filter, page: 1 } }),
    pages: query.isPlaceholderData ? [] : pages.map((page) => page['hydra:member']),
  })

  const go = (next: BookSearch, replace = false) =>
    void navigate({ to: '/search-books', search: addressOf(next), replace, resetScroll: false })
  const change = (next: BookFilter) => go({ ...search, filter: { ...next, page: 1 } })
  const loadMore = useLoadMore(query, (page) => go({ ...search, filter: { ...filter, page } }, true))
  const waiting = query.isPlaceholderData || isOther(search, shown)
  return (
    <Wrap className={styles.listing}>
      <PageHead
        title="Search books"
        description="Find a book by its title, its author, its reader or what it is about."
        canonical="/search-books"
      />
      <FoundTop
        title="Search books"
        keyword={typed}
        found={shown.typed}
        sort={sort}
        count={keyword === null ? null : plural(total, 'result')}
        meant={pages[0]?.didYouMean}
        other={isOpen('/search-articles') ? { label: 'Search articles', to: '/search-articles' } : undefined}
        onSearch={(next) => go({ ...search, typed: next, filter: { ...filter, page: 1 } }, true)}
        onSort={(next) => go({ ...search, sort: next, filter: { ...filter, page: 1 } })}
      />
      {series.length > 0 && (
        <ul role="list" aria-label="Series" className={styles.series}>
          {series.map(({ slug, title, titles }) => (
            <li key={slug}>
              <Link to="/series/$slug" params={{ slug }} className="text-link">
                {title}
              </Link>{' '}
              <span className="quiet">A series of {plural(titles, 'book')}</span>
            </li>
          ))}
        </ul>
      )}
      <FilteredShelf kind={KIND} filter={filter} onChange={change} clear="Remove all" total={total}>
        {(narrow) => (
          <>
            {isEmpty ? (
              <div className={styles.found} aria-busy={waiting}>
                <Nothing narrowed={isNarrowed(shown.filter)} onWiden={() => change(cleared(filter))} />
              </div>
            ) : (
              <BookGrid books={books} waiting={waiting} narrow={narrow} />
            )}
            <LoadMore
              more={query.hasNextPage && books.length > 0}
              busy={query.isFetchingNextPage}
              failed={query.isFetchNextPageError}
              onPress={loadMore}
            />
          </>
        )}
      </FilteredShelf>
    </Wrap>
  )
}

/** True if the address asks for other results than those on screen, not only more pages. */
const isOther = (asked: BookSearch, shown: BookSearch) =>
  JSON.stringify(firstPage(asked)) !== JSON.stringify(firstPage(shown))
const firstPage = (search: BookSearch) => addressOf({ ...search, filter: { ...search.filter, page: 1 } })

function Nothing({ narrowed, onWiden }: { narrowed: boolean; onWiden: () => void }) {
  return (
    <Empty
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
