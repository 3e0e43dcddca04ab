import { createFileRoute } from '@tanstack/react-router'
import { PAGE_SIZE } from '#contract/limits.ts'
import { countIn } from '#format/address.ts'
import { shelfQuery } from '#features/catalogue/queries.ts'
import { HighlightsScreen } from './-catalogue/HighlightsScreen.tsx'

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
  component: () => <HighlightsScreen search={Route.useSearch()} />,
})
