import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, Link, notFound } from '@tanstack/react-router'
import { useMemo } from 'react'
import { PageHead } from '#app/page/PageHead.tsx'
import type { BookCard } from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { BookCarousel, BookGrid } from '#features/catalogue/BookCards.tsx'
import { filterOf } from '#features/catalogue/filter.ts'
import { coverOf, linkTo, narratorsOf, themeOf } from '#features/catalogue/model.ts'
import { Pagination } from '#features/catalogue/Pagination.tsx'
import { booksQuery, browseQuery, publisherBooksQuery, publisherQuery } from '#features/catalogue/queries.ts'
import { SampleBar } from '#features/catalogue/SampleBar.tsx'
import { has } from '#features/shop-details/shop.ts'
import { pageSearch } from '#format/address.ts'
import { plural } from '#format/plural.ts'
import { Band, useBand } from '#ui/Band.tsx'
import { Cover } from '#ui/Cover.tsx'
import { cx } from '#ui/cx.ts'
import { Display } from '#ui/Display.tsx'
import { HOUSE } from '#ui/title-theme.ts'
import { Wrap } from '#ui/Wrap.tsx'
import shelf from './-catalogue/catalogue.module.css'
import styles from './-layout/layout.module.css'

export const Route = createFileRoute('/publishers/$slug')({
  validateSearch: pageSearch,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: async ({ context: { queryClient }, params: { slug }, deps: { page } }) => {
    const heard = publisherBooksQuery(slug, page)
    const loading = has('audiobooks') && queryClient.prefetchQuery(heard)
    const publisher = await queryClient.ensureQueryData(publisherQuery(slug))
    if (publisher === null) throw notFound()
    const read = eBooksOf(publisher.id, page)
    await (loading || queryClient.prefetchQuery(read))
    const books: Listed | undefined =
      queryClient.getQueryData(heard.queryKey) ?? queryClient.getQueryData(read.queryKey)
    return { band: bandOf(books?.['hydra:member'] ?? []) }
  },
  component: PublisherScreen,
})

const NONE: readonly BookCard[] = []
/** The last title with a sample. The first title is shown right below the band. */
const sampledIn = (titles: readonly BookCard[]) => titles.findLast(({ sample }) => sample)
/** The page wears the colours of the newest title, and mostly so does the list of publishers. */
const bandOf = ([newest]: readonly BookCard[]) => (newest ? themeOf(newest) : HOUSE)

interface Listed {
  readonly 'hydra:member': readonly BookCard[]
  readonly 'hydra:totalItems': number
}

/** For a shop without audiobooks. */
const eBooksOf = (publisher: number, page: number) =>
  booksQuery('e_books', filterOf({ 'publishers[]': String(publisher), page: String(page) }, 'e_books'))

function PublisherScreen() {
  const { slug } = Route.useParams()
  const { page } = Route.useLoaderDeps()
  const { data: publisher } = useSuspenseQuery(publisherQuery(slug))
  const heard = useQuery({ ...publisherBooksQuery(slug, page), enabled: has('audiobooks') })
  const read = useQuery({ ...eBooksOf(publisher?.id ?? 0, page), enabled: !has('audiobooks') })
  const books: Listed | undefined = heard.data ?? read.data
  const titles = books?.['hydra:member'] ?? NONE
  const total = books?.['hydra:totalItems'] ?? 0
  const isEmpty = books !== undefined && total === 0
  const sampled = sampledIn(titles)
  const theme = useMemo(() => bandOf(titles), [titles])
  useBand(theme)
  if (!publisher) return null
  return (
    <>
      <PageHead
        title={publisher.name}
        description={publisher.about}
        canonical={`/publishers/${publisher.slug}`}
      />
      <Band theme={theme} as="div">
        <Wrap className={shelf.publisherTop}>
          {sampled && (
            <Link {...linkTo(sampled)} className={shelf.publisherCover} tabIndex={-1} aria-hidden="true">
              <Cover picture={coverOf(sampled)} alt="" sizes="282px" eager />
            </Link>
          )}
          <div className={shelf.publisherName}>
            <p className={shelf.small}>
              Publisher{total > 0 && `, ${plural(total, has('audiobooks') ? 'audiobook' : 'e-book')}`}
            </p>
            <Display as="h1" size="lg">
              {publisher.name}
            </Display>
          </div>
          <div className={shelf.publisherWords}>
            {publisher.about && <p className={shelf.about}>{publisher.about}</p>}
            {(sampled || publisher.website) && (
              <div className={shelf.publisherWays}>
                {sampled && (
                  <SampleBar
                    book={sampled}
                    words="Hear one of theirs"
                    narrators={narratorsOf(sampled)}
                    className={shelf.publisherSound}
                  />
                )}
                {publisher.website && (
                  <a href={publisher.website} rel="noopener external" className={shelf.small}>
                    {publisher.website.replace(/^https?:\/\//, '')}
                  </a>
                )}
              </div>
            )}
          </div>
          {isEmpty && (
            <p className={cx(shelf.awaited, shelf.publisherAwaited)}>
              Nothing on our shelves yet. Their first book is on its way.
            </p>
          )}
        </Wrap>
      </Band>
      <Wrap className={styles.page}>
        {isEmpty && <NewTitles />}
        {titles.length > 0 && (
          <section className={shelf.books} aria-labelledby="books">
            <Display as="h2" size="md" id="books">
              {has('audiobooks') ? 'Audiobooks' : 'E-books'}
            </Display>
            <BookGrid books={titles} />
          </section>
        )}
        <Pagination
          page={page}
          last={Math.ceil(total / PAGE_SIZE.collection)}
          to={`/publishers/${publisher.slug}`}
          searchFor={(number): Record<string, string> => (number > 1 ? { page: String(number) } : {})}
        />
      </Wrap>
    </>
  )
}

/** Shown for a publisher without titles. */
function NewTitles() {
  const { data } = useQuery(browseQuery({ styles: [] }))
  return (
    <div className={shelf.books}>
      <BookCarousel title="New in the shop" books={data?.['hydra:member'] ?? []} short />
    </div>
  )
}
