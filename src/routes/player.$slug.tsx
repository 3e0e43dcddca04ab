import { createFileRoute } from '@tanstack/react-router'
import { PlayerPage } from '#screens/player/PlayerPage.tsx'

export const Route = createFileRoute('/player/$slug')({
  staticData: { frame: 'whole' },
  component: () => <PlayerPage title={{ slug: Route.useParams().slug, kind: 'book' }} />,
})
