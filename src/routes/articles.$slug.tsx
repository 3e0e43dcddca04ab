import { createFileRoute, notFound } from '@tanstack/react-router'
import { itemQuery } from '#features/editorial/queries.ts'
import { EditorialScreen } from './-editorial/EditorialScreen.tsx'

export const Route = createFileRoute('/articles/$slug')({
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    if ((await queryClient.ensureQueryData(itemQuery('articles', slug))) === null) throw notFound()
  },
  component: () => <EditorialScreen kind="articles" slug={Route.useParams().slug} />,
})
