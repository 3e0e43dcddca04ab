import { createFileRoute } from '@tanstack/react-router'
import { textIn } from '#format/address.ts'
import { loadSeries } from '#features/series/load-series.ts'
import { SeriesScreen } from '#screens/series/SeriesScreen.tsx'

export const Route = createFileRoute('/series/$slug')({
  validateSearch: (search): { order?: 'story'; confirm?: string } => {
    const confirm = textIn(search.confirm)
    return { ...(search.order === 'story' ? { order: 'story' } : {}), ...(confirm ? { confirm } : {}) }
  },
  loader: ({ context: { queryClient }, params: { slug } }) => loadSeries(queryClient, slug),
  component: () => <SeriesScreen {...Route.useSearch()} slug={Route.useParams().slug} />,
})
