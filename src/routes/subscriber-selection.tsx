import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { PageHead } from '#app/page/PageHead.tsx'
import { PAGE_SIZE } from '#contract/limits.ts'
import { useListViews } from '#features/analytics/use-views.ts'
import { choiceQuery } from '#features/bag/queries.ts'
import { BookGrid } from '#features/catalogue/BookCards.tsx'
import { shelfQuery } from '#features/catalogue/queries.ts'
import { PromotionBanner } from '#features/membership/PromotionBanner.tsx'
import { has } from '#features/shop-details/shop.ts'
import { countIn } from '#format/address.ts'
import { dayAndMonth, lastDay } from '#format/date.ts'
import { plural } from '#format/plural.ts'
import { useSession } from '#session/store.ts'
import { Empty } from '#ui/Empty.tsx'
import { LinkButton } from '#ui/Button.tsx'
import { Wrap } from '#ui/Wrap.tsx'
import styles from './-layout/layout.module.css'
import { LoadMore, useLoadMore } from './-layout/LoadMore.tsx'
import { PageTop } from './-layout/PageTop.tsx'

export const Route = createFileRoute('/subscriber-selection')({
  validateSearch: (search): { page: number; itemsPerPage: number } => ({
    page: countIn(search.page) ?? 1,
    itemsPerPage: Math.min(countIn(search.itemsPerPage) ?? PAGE_SIZE.collection, 50),
  }),
  loaderDeps: ({ search }) => search,
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
  const toChoose = useToChoose()
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
  return (
    <Wrap className={styles.page}>
      <PageHead
        title="Current highlights"
        description={
          has('membership')
            ? 'The audiobooks our members may choose from this month.'
            : 'The audiobooks we would press into your hands this month.'
        }
        canonical="/subscriber-selection"
      />
      <PageTop
        title="Current highlights"
        lead={
          // Keeps the space of the sentence that the page was sent with, so that nothing moves.
          <>
            <span aria-hidden={toChoose ? true : undefined}>
              {has('membership')
                ? 'What our members choose from this month, and what we would press into your hands.'
                : 'What we would press into your hands this month.'}
            </span>
            {toChoose && <span>{toChoose}</span>}
          </>
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
      <LoadMore
        more={query.hasNextPage}
        busy={query.isFetchingNextPage}
        failed={query.isFetchNextPageError}
        onPress={loadMore}
      />
      <PromotionBanner />
    </Wrap>
  )
}

/** For members with a free audiobook to choose: until when. */
function useToChoose(): string | undefined {
  const hasCredit = useSession((state) => state.user?.hasCredit === true)
  const owner = useSession((state) => state.owner?.uuid ?? '')
  const { data } = useQuery({ ...choiceQuery(owner), enabled: hasCredit && owner !== '' })
  if (!hasCredit) return undefined
  if (!data?.left || !data.until) return 'You have a free audiobook to choose.'
  return `You have ${data.left === 1 ? 'one free audiobook' : `${data.left} free audiobooks`} to choose by ${dayAndMonth(lastDay(data.until))}.`
}
