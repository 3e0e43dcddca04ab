import { createFileRoute } from '@tanstack/react-router'
import { loadThemed } from '#features/catalogue/load-themed.ts'
import { themedSearch, themedSearchOf } from '#features/catalogue/themed-search.ts'
import { ThemedScreen } from './-catalogue/ThemedScreen.tsx'

const mark = { availableAsCard: true } as const

export const Route = createFileRoute('/audiobooks-in-a-card')({
  validateSearch: (search) => themedSearchOf(themedSearch(search)),
  loaderDeps: ({ search }) => themedSearch(search),
  loader: ({ context: { queryClient }, deps }) => loadThemed(queryClient, mark, deps),
  component: () => (
    <ThemedScreen
      title="Audiobooks in a card"
      lead="Titles you can hold: a card from a bookshop, a code inside, and the book is theirs."
      path="/audiobooks-in-a-card"
      mark={mark}
      search={Route.useLoaderDeps()}
    />
  ),
})
