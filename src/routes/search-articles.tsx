import { createFileRoute } from '@tanstack/react-router'
import { addressOf, articleSearch } from '#features/search/article-search.ts'
import { loadArticles } from '#features/search/found-queries.ts'
import { SearchArticlesScreen } from './-search/SearchArticlesScreen.tsx'

export const Route = createFileRoute('/search-articles')({
  validateSearch: (search) => addressOf(articleSearch(search)),
  loaderDeps: ({ search }) => articleSearch(search),
  loader: ({ context: { queryClient }, deps }) => loadArticles(queryClient, deps),
  component: () => <SearchArticlesScreen search={Route.useLoaderDeps()} />,
})
