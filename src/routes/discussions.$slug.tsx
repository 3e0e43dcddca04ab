import { createFileRoute, notFound } from '@tanstack/react-router'
import { itemTheme } from '#features/editorial/model.ts'
import { itemQuery } from '#features/editorial/queries.ts'
import { EditorialScreen } from './-editorial/EditorialScreen.tsx'

export const Route = createFileRoute('/discussions/$slug')({
  /** Tokens of the links in emails about a seat. */
  validateSearch: (search: { seat?: string; giveBack?: string }) => search,
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    const item = await queryClient.ensureQueryData(itemQuery('discussions', slug))
    if (item === null) throw notFound()
    return { band: itemTheme(item) }
  },
  component: () => (
    <EditorialScreen kind="discussions" slug={Route.useParams().slug} links={Route.useSearch()} />
  ),
})
