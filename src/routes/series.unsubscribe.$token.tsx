import { createFileRoute } from '@tanstack/react-router'
import { NoMoreOfSeries } from './-series/NoMoreOfSeries.tsx'

export const Route = createFileRoute('/series/unsubscribe/$token')({
  component: () => <NoMoreOfSeries token={Route.useParams().token} />,
})
