import { createFileRoute } from '@tanstack/react-router'
import { NoMoreOfSeries } from '#screens/series/NoMoreOfSeries.tsx'

export const Route = createFileRoute('/series/unsubscribe/$token')({
  component: () => <NoMoreOfSeries token={Route.useParams().token} />,
})
