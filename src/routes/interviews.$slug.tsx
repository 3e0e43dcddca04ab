import { createFileRoute } from '@tanstack/react-router'
import { itemTheme } from '#features/editorial/model.ts'
import { loadPiece } from '#features/editorial/queries.ts'
import { EditorialScreen } from './-editorial/EditorialScreen.tsx'

export const Route = createFileRoute('/interviews/$slug')({
  loader: async ({ context: { queryClient }, params: { slug } }) => ({
    band: itemTheme(await loadPiece(queryClient, 'interviews', slug)),
  }),
  component: () => <EditorialScreen kind="interviews" slug={Route.useParams().slug} />,
})
