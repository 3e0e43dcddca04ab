import { createFileRoute } from '@tanstack/react-router'
import { UnsubscribeScreen } from './-pages/UnsubscribeScreen.tsx'

export const Route = createFileRoute('/newsletter/unsubscribe/$token')({
  component: () => <UnsubscribeScreen token={Route.useParams().token} />,
})
