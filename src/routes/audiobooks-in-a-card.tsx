import { createFileRoute } from '@tanstack/react-router'
import { themedAddress, themedSearch } from '#features/catalogue/filter.ts'
import { loadThemed, ThemedScreen } from './-catalogue/ThemedScreen.tsx'

export const Route = createFileRoute('/audiobooks-in-a-card')({
  validateSearch: themedAddress,
  loaderDeps: ({ search }) => themedSearch(search),
  loader: ({ context: { queryClient }, deps }) => loadThemed(queryClient, '/audiobooks-in-a-card', deps),
  component: () => <ThemedScreen path="/audiobooks-in-a-card" search={Route.useLoaderDeps()} />,
})
