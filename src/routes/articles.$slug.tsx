import { createFileRoute } from '@tanstack/react-router'
import { loadPiece } from '#features/editorial/queries.ts'
import { EditorialScreen } from './-editorial/EditorialScreen.tsx'

export const Route = createFileRoute('/articles/$slug')({
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    await loadPiece(queryClient, 'articles', slug)
  },
  component: () => <EditorialScreen kind="articles" slug={Route.useParams().slug} />,
})
