import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import { MESSAGES } from '#contract/messages.ts'
import { itemIn } from '#features/editorial/model.ts'
import { articleSearchAddress, articleSearch, type ArticleSearch } from '#features/search/address.ts'
import { keywordIn, KINDS, toggledKind } from '#features/search/model.ts'
import { articlesFor, loadArticles } from '#features/search/queries.ts'
import { plural } from '#format/plural.ts'
import { Chip } from '#ui/Chip.tsx'
import { cx } from '#ui/cx.ts'
import { Empty } from '#ui/Empty.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import listing from './-catalogue/catalogue.module.css'
import { LoadMore, useLoadMore } from './-layout/LoadMore.tsx'
import { useAskedSearch } from './-layout/use-asked-search.ts'
import { FoundItems, FoundKind, useArrowKeys, FoundTop, OtherSearch } from './-search/SearchResults.tsx'
import styles from './-search/search.module.css'

export const Route = createFileRoute('/search-articles')({
  validateSearch: (search) => articleSearchAddress(articleSearch(search)),
  loaderDeps: ({ search }) => articleSearch(search),
  loader: ({ context: { queryClient }, deps }) => loadArticles(queryClient, deps),
  component: () => <SearchArticlesScreen search={Route.useLoaderDeps()} />,
})

function SearchArticlesScreen({ search: shown }: { search: ArticleSearch }) {
  const search = useAskedSearch('/search-articles', shown, articleSearch)
  const { typed, sort, kinds } = search
  const keyword = keywordIn(shown.typed)
  const navigate = useNavigate()
  const query = useInfiniteQuery({ ...articlesFor(shown), placeholderData: keepPreviousData })
  const pages = keyword === null ? [] : (query.data?.pages ?? [])
  const items = pages.flatMap((each) => each['hydra:member'].flatMap((one) => itemIn(one) ?? []))
  const total = pages[0]?.['hydra:totalItems'] ?? 0

  const go = (next: ArticleSearch, replace = false) =>
    void navigate({ to: '/search-articles', search: articleSearchAddress(next), replace, resetScroll: false })
  const loadMore = useLoadMore(query, (page) => go({ ...search, page }, true))
  const waiting = query.isPlaceholderData || isOther(search, shown)
  const isEmpty = pages.length > 0 && items.length === 0
  const page = useRef<HTMLDivElement>(null)
  useArrowKeys(page)
  return (
    <Wrap className={listing.listing}>
      <PageHead
        title="Search articles"
        description="Find an article, a podcast or an event by what it is about."
        canonical="/search-articles"
      />
      <div ref={page}>
        <FoundTop
          title="Search articles"
          keyword={typed}
          found={shown.typed}
          sort={sort}
          count={keyword === null ? null : plural(total, 'result')}
          isEmpty={isEmpty && kinds.length === 0}
          meant={pages[0]?.didYouMean}
          filters={
            <div className={styles.kinds} role="group" aria-label="Types">
              {KINDS.map(({ id, label }) => (
                <Chip
                  key={id}
                  pressed={kinds.includes(id)}
                  onClick={() => go({ ...search, kinds: toggledKind(kinds, id), page: 1 })}
                >
                  {label}
                </Chip>
              ))}
            </div>
          }
          canSort={keyword !== null && !(isEmpty && kinds.length === 0)}
          isNarrowed
          onSearch={(next) => go({ ...search, typed: next, page: 1 }, true)}
          onSort={(next) => go({ ...search, sort: next, page: 1 })}
        />
        {isEmpty ? (
          <div className={cx(listing.found, styles.nothing)} aria-busy={waiting}>
            <Empty
              plain
              title={MESSAGES.noResults}
              action={
                <LinkButton to="/murmurations" look="solid">
                  See all murmurations
                </LinkButton>
              }
            />
          </div>
        ) : (
          items.length > 0 && (
            <FoundKind title="Journal">
              <FoundItems
                items={items}
                keyword={pages[0]?.didYouMean ?? shown.typed}
                excerpts={Object.assign({}, ...pages.map((each) => each.excerpts))}
                waiting={waiting}
              />
              <LoadMore
                more={query.hasNextPage}
                busy={query.isFetchingNextPage}
                failed={query.isFetchNextPageError}
                onPress={loadMore}
              />
            </FoundKind>
          )
        )}
        <OtherSearch label="Search books" to="/search-books" keyword={typed} />
      </div>
    </Wrap>
  )
}

/** True if the address asks for other results than those on screen, not only more pages. */
const isOther = (asked: ArticleSearch, shown: ArticleSearch) =>
  JSON.stringify(articleSearchAddress({ ...asked, page: 1 })) !==
  JSON.stringify(articleSearchAddress({ ...shown, page: 1 }))
