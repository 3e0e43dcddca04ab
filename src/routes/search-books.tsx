import { createFileRoute } from '@tanstack/react-router'
import { loadOptions } from '#features/catalogue/filter-options.ts'
import { keywordIn } from '#features/search/model.ts'
import { bookSearch } from './-book-search.ts'
import { booksFor } from './-found-queries.ts'
import { SearchBooksScreen } from './-SearchBooksScreen.tsx'

export const Route = createFileRoute('/search-books')({
  loaderDeps: ({ search }) => bookSearch(search as Record<string, unknown>),
  // What was loaded when the address was written is loaded again, so that Back returns to the same book.
  loader: async ({ context: { queryClient }, deps }) => {
    const query = booksFor(deps)
    await Promise.all([
      keywordIn(deps.typed) !== null &&
        queryClient.ensureInfiniteQueryData({
          ...query,
          pages: deps.filter.page,
          getNextPageParam: query.getNextPageParam,
        }),
      loadOptions(queryClient, deps.filter),
    ])
  },
  component: () => <SearchBooksScreen search={Route.useLoaderDeps()} />,
})
