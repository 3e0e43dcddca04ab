import { createFileRoute } from '@tanstack/react-router'
import { PlayerScreen } from './-player/PlayerScreen.tsx'

export const Route = createFileRoute('/sample/$slug')({
  staticData: { frame: 'whole' },
  component: () => <PlayerScreen title={{ slug: Route.useParams().slug, kind: 'sample' }} />,
})
