import { createFileRoute } from '@tanstack/react-router'
import { unsubscribe } from '#features/newsletter/mutations.ts'
import { LeaveList } from './-pages/LeaveList.tsx'

export const Route = createFileRoute('/newsletter/unsubscribe/$token')({
  component: () => <UnsubscribeScreen token={Route.useParams().token} />,
})

const UnsubscribeScreen = ({ token }: { token: string }) => (
  <LeaveList
    title="Leave the newsletter"
    verb="Unsubscribe"
    left="We won’t send you any more newsletters."
    leave={() => unsubscribe(token)}
  />
)
