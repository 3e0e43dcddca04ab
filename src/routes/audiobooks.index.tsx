import { createFileRoute } from '@tanstack/react-router'
import { filterOf } from '#features/catalogue/model.ts'
import { booksQuery } from '#features/catalogue/queries.ts'
import { ListingScreen } from './-ListingScreen.tsx'

export const Route = createFileRoute('/audiobooks/')({
  loaderDeps: ({ search }) => filterOf(search),
  loader: ({ context: { queryClient }, deps }) =>
    queryClient.ensureQueryData(booksQuery('audio_books', deps)),
  component: () => <ListingScreen kind="audio_books" filter={Route.useLoaderDeps()} />,
})
