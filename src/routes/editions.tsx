import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useListViews } from '#features/analytics/use-views.ts'
import { countIn } from '#features/catalogue/filter.ts'
import { EditionEntry } from '#features/catalogue/EditionEntry.tsx'
import { shelfQuery } from '#features/catalogue/queries.ts'
import { plural } from '#format/plural.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '../app/PageHead.tsx'
import { LoadMore } from './-LoadMore.tsx'
import styles from './-Page.module.css'
import { PageTop } from './-PageTop.tsx'
import { useLoadMore } from './-use-load-more.ts'

const ITEMS = 5

export const Route = createFileRoute('/editions')({
  validateSearch: (search): { _page: number; itemsPerPage: number } => ({
    _page: countIn(search._page) ?? 1,
    itemsPerPage: Math.min(countIn(search.itemsPerPage) ?? ITEMS, 50),
  }),
  loaderDeps: ({ search }) => search,
  // What was loaded when the address was written is loaded again, so that Back returns to the same entry.
  loader: ({ context: { queryClient }, deps }) => {
    const query = shelfQuery('editions', deps.itemsPerPage)
    const { getNextPageParam } = query
    return queryClient.ensureInfiniteQueryData({ ...query, pages: deps._page, getNextPageParam })
  },
  component: EditionsScreen,
})

function EditionsScreen() {
  const search = Route.useSearch()
  const navigate = Route.useNavigate()
  const query = useInfiniteQuery(shelfQuery('editions', search.itemsPerPage))
  const pages = query.data?.pages ?? []
  const books = pages.flatMap((page) => page['hydra:member'])
  const total = pages[0]?.['hydra:totalItems'] ?? 0
  useListViews({
    list: 'Editions',
    key: String(search.itemsPerPage),
    pages: pages.map((page) => page['hydra:member']),
  })

  const loadMore = useLoadMore(
    query,
    (_page) => void navigate({ search: { ...search, _page }, replace: true, resetScroll: false }),
  )
  return (
    <Wrap className={styles.page}>
      <PageHead
        title="Editions"
        description="Our own editions: books we chose, had read aloud and stand behind."
        canonical="/editions"
      />
      <PageTop
        title="Editions"
        lead="Books we chose, had read aloud and stand behind."
        aside={<p role="status">{plural(total, 'title')}</p>}
      />
      <ul role="list" className={styles.body}>
        {books.map((book, index) => (
          <li key={book.id}>
            <EditionEntry book={book} eager={index < 2} />
          </li>
        ))}
      </ul>
      <LoadMore
        more={query.hasNextPage}
        busy={query.isFetchingNextPage}
        failed={query.isFetchNextPageError}
        onPress={loadMore}
      />
    </Wrap>
  )
}
