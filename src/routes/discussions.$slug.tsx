import { createFileRoute } from '@tanstack/react-router'
import { itemTheme } from '#features/editorial/model.ts'
import { loadPiece } from '#features/editorial/queries.ts'
import { EditorialScreen } from './-editorial/EditorialScreen.tsx'

export const Route = createFileRoute('/discussions/$slug')({
  /** Tokens of the links in emails about a seat. */
  validateSearch: (search: { seat?: string; giveBack?: string }) => search,
  loader: async ({ context: { queryClient }, params: { slug } }) => ({
    band: itemTheme(await loadPiece(queryClient, 'discussions', slug)),
  }),
  component: () => (
    <EditorialScreen kind="discussions" slug={Route.useParams().slug} links={Route.useSearch()} />
  ),
})
