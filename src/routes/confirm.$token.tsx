import { createFileRoute } from '@tanstack/react-router'
import { ConfirmEmailScreen } from './-account/ConfirmEmailScreen.tsx'

export const Route = createFileRoute('/confirm/$token')({
  component: () => <ConfirmEmailScreen token={Route.useParams().token} />,
})
