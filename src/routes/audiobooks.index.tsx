import { createFileRoute } from '@tanstack/react-router'
import { filterOf, searchOf } from '#features/catalogue/filter.ts'
import { ListingScreen, loadListing } from './-catalogue/ListingScreen.tsx'

export const Route = createFileRoute('/audiobooks/')({
  staticData: { frame: 'window' },
  validateSearch: (search) => searchOf(filterOf(search, 'audio_books'), 'audio_books'),
  loaderDeps: ({ search }) => filterOf(search, 'audio_books'),
  loader: ({ context: { queryClient }, deps }) => loadListing(queryClient, 'audio_books', deps),
  component: () => <ListingScreen kind="audio_books" filter={Route.useLoaderDeps()} />,
})
