import { createFileRoute } from '@tanstack/react-router'
import { PlayerPage } from './-PlayerPage.tsx'

export const Route = createFileRoute('/sample/$slug')({
  component: () => <PlayerPage title={{ slug: Route.useParams().slug, kind: 'sample' }} />,
})
