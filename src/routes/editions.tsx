import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import type { AudioBookCard } from '#contract/catalogue.ts'
import { useListViews } from '#features/analytics/use-views.ts'
import { authorsOf, coverOf, lengthOf, linkTo, narratorsOf } from '#features/catalogue/model.ts'
import { shelfQuery } from '#features/catalogue/queries.ts'
import { countIn } from '#format/address.ts'
import { plural } from '#format/plural.ts'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import shelf from './-catalogue/catalogue.module.css'
import styles from './-layout/layout.module.css'
import { LoadMore, useLoadMore } from './-layout/LoadMore.tsx'
import { PageTop } from './-layout/PageTop.tsx'

const ITEMS = 5

export const Route = createFileRoute('/editions')({
  validateSearch: (search): { _page: number; itemsPerPage: number } => ({
    _page: countIn(search._page) ?? 1,
    itemsPerPage: Math.min(countIn(search.itemsPerPage) ?? ITEMS, 50),
  }),
  loaderDeps: ({ search }) => search,
  // Load as many pages as the address names, so that Back returns to the same place in the list.
  loader: ({ context: { queryClient }, deps }) => {
    const query = shelfQuery('editions', deps.itemsPerPage)
    const { getNextPageParam } = query
    return queryClient.ensureInfiniteQueryData({ ...query, pages: deps._page, getNextPageParam })
  },
  component: EditionsScreen,
})

function EditionsScreen() {
  const search = Route.useSearch()
  const navigate = useNavigate()
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
    (_page) =>
      void navigate({ to: '/editions', search: { ...search, _page }, replace: true, resetScroll: false }),
  )
  return (
    <Wrap className={styles.page}>
      <PageHead
        title="Editions"
        description="Our own editions: books we chose, recorded and stand by."
        canonical="/editions"
      />
      <PageTop
        title="Editions"
        lead="Books we chose, recorded and stand by."
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

interface EditionEntryProps {
  book: AudioBookCard
  /** Load the cover at once. */
  eager?: boolean
}

function EditionEntry({ book, eager }: EditionEntryProps) {
  const narrators = narratorsOf(book)
  return (
    <Link {...linkTo(book)} state={{ withBack: true }} className={shelf.entry}>
      <Cover picture={coverOf(book)} alt="" sizes="(min-width: 768px) 240px, 40vw" lift eager={eager} />
      <div>
        {book.style && <p className={shelf.style}>{book.style.title}</p>}
        <Display as="h2" size="md">
          {book.title}
        </Display>
        <p className={shelf.by}>
          {authorsOf(book)}
          {narrators && <span>Read by {narrators}</span>}
        </p>
        <p className={shelf.length}>{lengthOf(book)}</p>
      </div>
    </Link>
  )
}
