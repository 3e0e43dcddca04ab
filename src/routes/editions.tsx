import { createFileRoute } from '@tanstack/react-router'
import { countIn } from '#format/address.ts'
import { shelfQuery } from '#features/catalogue/queries.ts'
import { EditionsScreen } from './-catalogue/EditionsScreen.tsx'

const ITEMS = 5

export const Route = createFileRoute('/editions')({
  validateSearch: (search): { _page: number; itemsPerPage: number } => ({
    _page: countIn(search._page) ?? 1,
    itemsPerPage: Math.min(countIn(search.itemsPerPage) ?? ITEMS, 50),
  }),
  loaderDeps: ({ search }) => search,
  // The pages that were loaded when the address was written are loaded again, so that Back returns to the same
  // entry.
  loader: ({ context: { queryClient }, deps }) => {
    const query = shelfQuery('editions', deps.itemsPerPage)
    const { getNextPageParam } = query
    return queryClient.ensureInfiniteQueryData({ ...query, pages: deps._page, getNextPageParam })
  },
  component: () => <EditionsScreen search={Route.useSearch()} />,
})
