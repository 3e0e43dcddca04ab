import { createFileRoute } from '@tanstack/react-router'
import { filterOf } from '#features/catalogue/filter.ts'
import { loadOptions } from '#features/catalogue/filter-options.ts'
import { booksQuery } from '#features/catalogue/queries.ts'
import { ListingScreen } from './-ListingScreen.tsx'

export const Route = createFileRoute('/audiobooks/')({
  loaderDeps: ({ search }) => filterOf(search, 'audio_books'),
  loader: async ({ context: { queryClient }, deps }) => {
    await Promise.all([
      queryClient.ensureQueryData(booksQuery('audio_books', deps)),
      loadOptions(queryClient, deps),
    ])
  },
  component: () => <ListingScreen kind="audio_books" filter={Route.useLoaderDeps()} />,
})
