import { useInfiniteQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { type ReactNode, useState } from 'react'
import type { AudioBookCard } from '#contract/catalogue.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { useListViews } from '#features/analytics/use-views.ts'
import { BookGrid } from '#features/catalogue/BookCards.tsx'
import { shelfQuery } from '#features/catalogue/queries.ts'
import { PromotionBanner } from '#features/membership/PromotionBanner.tsx'
import { has } from '#features/shop-details/shop.ts'
import { countIn } from '#format/address.ts'
import { plural } from '#format/plural.ts'
import { useSession } from '#session/store.ts'
import { Empty } from '#ui/Empty.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './-layout/layout.module.css'
import { LoadMore, useLoadMore } from './-layout/LoadMore.tsx'
import { PageTop } from './-layout/PageTop.tsx'
import { AskedChoice, ChooseAudiobook } from './-membership/ChooseAudiobook.tsx'

export const Route = createFileRoute('/subscriber-selection')({
  validateSearch: (search): { page: number; itemsPerPage: number; choose?: string | undefined } => ({
    page: countIn(search.page) ?? 1,
    itemsPerPage: Math.min(countIn(search.itemsPerPage) ?? PAGE_SIZE.collection, 50),
    // From a cover in an email.
    ...(typeof search.choose === 'string' && /^[a-z0-9-]{1,160}$/.test(search.choose)
      ? { choose: search.choose }
      : {}),
  }),
  loaderDeps: ({ search: { page, itemsPerPage } }) => ({ page, itemsPerPage }),
  loader: ({ context: { queryClient }, deps }) => {
    const query = shelfQuery('highlights', deps.itemsPerPage)
    const { getNextPageParam } = query
    return queryClient.ensureInfiniteQueryData({ ...query, pages: deps.page, getNextPageParam })
  },
  component: HighlightsScreen,
})

function HighlightsScreen() {
  const search = Route.useSearch()
  const navigate = useNavigate()
  const query = useInfiniteQuery(shelfQuery('highlights', search.itemsPerPage))
  const pages = query.data?.pages ?? []
  const books = pages.flatMap((page) => page['hydra:member'])
  const hasCredit = useSession((state) => state.user?.hasCredit === true)
  // The last choice stays on the page, with its Listen button.
  const [canChoose, setCanChoose] = useState(hasCredit)
  if (hasCredit && !canChoose) setCanChoose(true)
  const total = pages[0]?.['hydra:totalItems'] ?? 0
  useListViews({
    list: 'Current highlights',
    key: String(search.itemsPerPage),
    pages: pages.map((page) => page['hydra:member']),
  })

  const loadMore = useLoadMore(
    query,
    (page) =>
      void navigate({
        to: '/subscriber-selection',
        search: { ...search, page },
        replace: true,
        resetScroll: false,
      }),
  )
  const more = (
    <LoadMore
      more={query.hasNextPage}
      busy={query.isFetchingNextPage}
      failed={query.isFetchNextPageError}
      onPress={loadMore}
    />
  )
  return (
    <Wrap className={styles.page}>
      <PageHead
        title="Current highlights"
        description={
          has('membership')
            ? 'The audiobooks our members may choose from this month.'
            : 'The audiobooks we’d hand you this month.'
        }
        canonical="/subscriber-selection"
      />
      {canChoose && books.length > 0 ? (
        <ChooseAudiobook books={books} total={total}>
          {more}
        </ChooseAudiobook>
      ) : (
        <Highlights books={books} total={total} more={more} />
      )}
      {search.choose && (
        <AskedChoice
          slug={search.choose}
          onClose={() =>
            void navigate({
              to: '/subscriber-selection',
              search: { page: search.page, itemsPerPage: search.itemsPerPage },
              replace: true,
              resetScroll: false,
            })
          }
        />
      )}
      <PromotionBanner />
    </Wrap>
  )
}

function Highlights({
  books,
  total,
  more,
}: {
  books: readonly AudioBookCard[]
  total: number
  more: ReactNode
}) {
  return (
    <>
      <PageTop
        title="Current highlights"
        lead={
          has('membership')
            ? 'What our members choose from this month, and what we’d hand you ourselves.'
            : 'What we’d hand you this month.'
        }
        aside={<p role="status">{plural(total, 'title')}</p>}
      />
      <div className={styles.body}>
        {books.length === 0 ? (
          <Empty
            title="No highlights just now."
            help="The next ones are being chosen. The rest of the shelves are open."
            action={
              <LinkButton to="/audiobooks" look="solid">
                Browse audiobooks
              </LinkButton>
            }
          />
        ) : (
          <BookGrid books={books} />
        )}
      </div>
      {more}
    </>
  )
}
