import { createFileRoute } from '@tanstack/react-router'
import { themedAddress, themedSearch } from '#features/catalogue/filter.ts'
import { loadThemed, ThemedScreen } from './-catalogue/ThemedScreen.tsx'

export const Route = createFileRoute('/astonishing-memoirs')({
  validateSearch: themedAddress,
  loaderDeps: ({ search }) => themedSearch(search),
  loader: ({ context: { queryClient }, deps }) => loadThemed(queryClient, '/astonishing-memoirs', deps),
  component: () => <ThemedScreen path="/astonishing-memoirs" search={Route.useLoaderDeps()} />,
})
