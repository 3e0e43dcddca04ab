import { createFileRoute } from '@tanstack/react-router'
import { filterOf, searchOf } from '#features/catalogue/filter.ts'
import { ListingScreen, loadListing } from './-catalogue/ListingScreen.tsx'

export const Route = createFileRoute('/ebooks/')({
  staticData: { frame: 'window' },
  validateSearch: (search) => searchOf(filterOf(search, 'e_books'), 'e_books'),
  loaderDeps: ({ search }) => filterOf(search, 'e_books'),
  loader: ({ context: { queryClient }, deps }) => loadListing(queryClient, 'e_books', deps),
  component: () => <ListingScreen kind="e_books" filter={Route.useLoaderDeps()} />,
})
