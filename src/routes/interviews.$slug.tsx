import { createFileRoute, notFound } from '@tanstack/react-router'
import { itemQuery } from '#features/editorial/queries.ts'
import { EditorialScreen } from './-editorial/EditorialScreen.tsx'

export const Route = createFileRoute('/interviews/$slug')({
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    if ((await queryClient.ensureQueryData(itemQuery('interviews', slug))) === null) throw notFound()
  },
  component: () => <EditorialScreen kind="interviews" slug={Route.useParams().slug} />,
})
