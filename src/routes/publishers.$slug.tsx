import { createFileRoute, notFound } from '@tanstack/react-router'
import { pageSearch } from '#format/address.ts'
import { publisherBooksQuery, publisherQuery } from '#features/catalogue/queries.ts'
import { PublisherScreen } from './-catalogue/PublisherScreen.tsx'

export const Route = createFileRoute('/publishers/$slug')({
  validateSearch: pageSearch,
  loaderDeps: ({ search: { page = 1 } }) => ({ page }),
  loader: async ({ context: { queryClient }, params: { slug }, deps: { page } }) => {
    const books = queryClient.prefetchQuery(publisherBooksQuery(slug, page))
    if ((await queryClient.ensureQueryData(publisherQuery(slug))) === null) throw notFound()
    await books
  },
  component: () => <PublisherScreen slug={Route.useParams().slug} page={Route.useLoaderDeps().page} />,
})
