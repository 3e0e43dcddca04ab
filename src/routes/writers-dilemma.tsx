import { createFileRoute } from '@tanstack/react-router'
import { loadThemed } from '#features/catalogue/load-themed.ts'
import { themedSearch, themedSearchOf } from '#features/catalogue/themed-search.ts'
import { has } from '#features/shop-details/shop.ts'
import { ThemedScreen } from './-catalogue/ThemedScreen.tsx'

const mark = { writersDilemma: true } as const

export const Route = createFileRoute('/writers-dilemma')({
  validateSearch: (search) => themedSearchOf(themedSearch(search)),
  loaderDeps: ({ search }) => themedSearch(search),
  loader: ({ context: { queryClient }, deps }) => loadThemed(queryClient, mark, deps),
  component: () => (
    <ThemedScreen
      title="Writer’s Dilemma"
      lead={
        has('journal')
          ? 'Books from our podcast, where a writer has to choose and tells us why.'
          : 'A writer has to choose, and tells us why.'
      }
      path="/writers-dilemma"
      mark={mark}
      search={Route.useLoaderDeps()}
    />
  ),
})
