import { createFileRoute } from '@tanstack/react-router'
import { themedAddress, themedSearch } from '#features/catalogue/filter.ts'
import { loadThemed, ThemedScreen } from './-catalogue/ThemedScreen.tsx'

export const Route = createFileRoute('/writers-dilemma')({
  validateSearch: themedAddress,
  loaderDeps: ({ search }) => themedSearch(search),
  loader: ({ context: { queryClient }, deps }) => loadThemed(queryClient, '/writers-dilemma', deps),
  component: () => <ThemedScreen path="/writers-dilemma" search={Route.useLoaderDeps()} />,
})
