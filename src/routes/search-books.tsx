import { createFileRoute } from '@tanstack/react-router'
import { addressOf, bookSearch } from '#features/search/book-search.ts'
import { loadBooks } from '#features/search/found-queries.ts'
import { SearchBooksScreen } from './-search/SearchBooksScreen.tsx'

export const Route = createFileRoute('/search-books')({
  validateSearch: (search) => addressOf(bookSearch(search)),
  loaderDeps: ({ search }) => bookSearch(search),
  loader: ({ context: { queryClient }, deps }) => loadBooks(queryClient, deps),
  component: () => <SearchBooksScreen search={Route.useLoaderDeps()} />,
})
