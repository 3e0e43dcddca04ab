import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import type { AudioBookCard } from '#contract/catalogue.ts'
import { useListViews } from '#features/analytics/use-views.ts'
import { AddTitle } from '#features/bag/AddTitle.tsx'
import { BookPrice, PriceLine } from '#features/catalogue/BookPrice.tsx'
import { useMark } from '#features/catalogue/marks.ts'
import { authorsOf, coverOf, lengthOf, linkTo, narratorsOf, themeOf } from '#features/catalogue/model.ts'
import { shelfQuery } from '#features/catalogue/queries.ts'
import { SampleButton } from '#features/samples/SampleButton.tsx'
import { countIn } from '#format/address.ts'
import { plural } from '#format/plural.ts'
import { Band } from '#ui/Band.tsx'
import { Cover } from '#ui/Cover.tsx'
import { Display } from '#ui/Display.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import shelf from './-catalogue/catalogue.module.css'
import { inTurn } from './-catalogue/in-turn.ts'
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
  const books = pages.flatMap((page) => inTurn(page['hydra:member']))
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
    <>
      <PageHead
        title="Editions"
        description="Our own editions: books we chose, recorded and stand by."
        canonical="/editions"
      />
      <Wrap className={shelf.bandsTop}>
        <PageTop
          title="Editions"
          lead="Books we chose, recorded and stand by."
          aside={<p role="status">{plural(total, 'title')}</p>}
        />
      </Wrap>
      <ul role="list">
        {books.map((book, index) => (
          <EditionRow key={book.id} book={book} eager={index < 2} />
        ))}
      </ul>
      <LoadMore
        more={query.hasNextPage}
        busy={query.isFetchingNextPage}
        failed={query.isFetchNextPageError}
        onPress={loadMore}
      />
    </>
  )
}

interface EditionRowProps {
  book: AudioBookCard
  /** Load the cover at once. */
  eager?: boolean
}

function EditionRow({ book, eager }: EditionRowProps) {
  const narrators = narratorsOf(book)
  const mark = useMark(book)
  const owned = mark === 'owned'
  const link = { ...linkTo(book), state: { withBack: true as const } }
  return (
    <Band as="li" theme={themeOf(book)}>
      <Wrap className={shelf.edition}>
        <Link {...link} className={shelf.editionCover} tabIndex={-1} aria-hidden="true">
          <Cover picture={coverOf(book)} alt="" sizes="(min-width: 600px) 200px, 112px" lift eager={eager} />
        </Link>
        <div className={shelf.editionNames}>
          <Display as="h2" size="md">
            <Link {...link}>{book.title}</Link>
          </Display>
          <p className={shelf.small}>
            {authorsOf(book)}
            <span>{[narrators && `Read by ${narrators}`, lengthOf(book)].filter(Boolean).join(', ')}</span>
          </p>
        </div>
        {book.bookseller && (
          <figure className={shelf.editionWords}>
            <blockquote className={shelf.words}>{book.bookseller.words}</blockquote>
            <figcaption className={shelf.small}>{book.bookseller.name}</figcaption>
          </figure>
        )}
        <div className={shelf.editionPrice}>
          {mark ? <PriceLine book={book} /> : <BookPrice book={book} single />}
          <SampleButton book={book} owned={owned} words="Sample" />
          {!owned && (
            <div className={shelf.editionAdd} data-choose={mark === 'choose' ? '' : undefined}>
              <AddTitle book={book} tone="title" />
            </div>
          )}
        </div>
      </Wrap>
    </Band>
  )
}
