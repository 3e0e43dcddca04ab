import { createFileRoute } from '@tanstack/react-router'
import { textIn } from '#format/address.ts'
import { loadSeries } from '#features/series/load-series.ts'
import { SeriesScreen } from './-series/SeriesScreen.tsx'

export const Route = createFileRoute('/series/$slug')({
  // Made good where it is drawn: this line is in the first page.
  validateSearch: (search: { order?: 'story'; confirm?: string }) => search,
  loader: ({ context: { queryClient }, params: { slug } }) => loadSeries(queryClient, slug),
  component: () => {
    const { order, confirm } = Route.useSearch()
    const token = textIn(confirm)
    return (
      <SeriesScreen
        slug={Route.useParams().slug}
        {...(order === 'story' && { order })}
        {...(token && { confirm: token })}
      />
    )
  },
})
