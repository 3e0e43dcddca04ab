import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useListViews } from '#features/analytics/use-views.ts'
import { EditionEntry } from '#features/catalogue/EditionEntry.tsx'
import { shelfQuery } from '#features/catalogue/queries.ts'
import { plural } from '#format/plural.ts'
import { Wrap } from '#ui/Wrap.tsx'
import { PageHead } from '#app/page/PageHead.tsx'
import { LoadMore } from '../-layout/LoadMore.tsx'
import styles from '../-layout/layout.module.css'
import { PageTop } from '../-layout/PageTop.tsx'
import { useLoadMore } from '../-layout/use-load-more.ts'

export function EditionsScreen({ search }: { search: { _page: number; itemsPerPage: number } }) {
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
