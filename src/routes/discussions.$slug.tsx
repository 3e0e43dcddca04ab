import { createFileRoute, notFound } from '@tanstack/react-router'
import { itemQuery } from '#features/editorial/queries.ts'
import { EditorialScreen } from './-editorial/EditorialScreen.tsx'

export const Route = createFileRoute('/discussions/$slug')({
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    if ((await queryClient.ensureQueryData(itemQuery('discussions', slug))) === null) throw notFound()
  },
  component: () => <EditorialScreen kind="discussions" slug={Route.useParams().slug} />,
})
