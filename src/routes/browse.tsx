import { createFileRoute } from '@tanstack/react-router'
import { BrowseScreen } from './-catalogue/BrowseScreen.tsx'
import { loadBrowse } from './-catalogue/browse-sections.ts'
import { themedSearch, themedSearchOf } from '#features/catalogue/themed-search.ts'

export const Route = createFileRoute('/browse')({
  staticData: { frame: 'window' },
  validateSearch: (search) => themedSearchOf(themedSearch(search)),
  loaderDeps: ({ search }) => ({ styles: themedSearch(search).styles }),
  loader: ({ context: { queryClient }, deps }) => loadBrowse(queryClient, deps.styles),
  component: () => <BrowseScreen styles={Route.useLoaderDeps().styles} />,
})
