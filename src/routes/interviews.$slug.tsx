import { createFileRoute, notFound } from '@tanstack/react-router'
import { itemTheme } from '#features/editorial/model.ts'
import { itemQuery, itemsQuery } from '#features/editorial/queries.ts'
import { EditorialScreen } from './-editorial/EditorialScreen.tsx'

export const Route = createFileRoute('/interviews/$slug')({
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    const item = await queryClient.ensureQueryData(itemQuery('interviews', slug))
    if (item === null) throw notFound()
    // Offers what is free beside a recording for members. Without it the page shows the rest.
    if (item.access !== 'open')
      await queryClient.ensureInfiniteQueryData(itemsQuery('interviews')).catch(() => undefined)
    return { band: itemTheme(item) }
  },
  component: () => <EditorialScreen kind="interviews" slug={Route.useParams().slug} />,
})
