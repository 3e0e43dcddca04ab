import { createFileRoute } from '@tanstack/react-router'
import { loadThemed } from '#features/catalogue/load-themed.ts'
import { themedSearch, themedSearchOf } from '#features/catalogue/themed-search.ts'
import { ThemedScreen } from './-catalogue/ThemedScreen.tsx'

const mark = { memoir: true } as const

export const Route = createFileRoute('/astonishing-memoirs')({
  validateSearch: (search) => themedSearchOf(themedSearch(search)),
  loaderDeps: ({ search }) => themedSearch(search),
  loader: ({ context: { queryClient }, deps }) => loadThemed(queryClient, mark, deps),
  component: () => (
    <ThemedScreen
      title="Astonishing memoirs"
      lead="Lives told by the people who were there, and who remember it differently."
      path="/astonishing-memoirs"
      mark={mark}
      search={Route.useLoaderDeps()}
    />
  ),
})
