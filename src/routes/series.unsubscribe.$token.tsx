import { createFileRoute } from '@tanstack/react-router'
import { endNotice } from '#features/series/queries.ts'
import { LeaveList } from './-pages/LeaveList.tsx'

export const Route = createFileRoute('/series/unsubscribe/$token')({
  component: () => <NoMoreOfSeries token={Route.useParams().token} />,
})

/** The unsubscribe link of the notice. */
const NoMoreOfSeries = ({ token }: { token: string }) => (
  <LeaveList
    title="Stop waiting for the next one"
    verb="Unsubscribe"
    left="We won’t write to you about this series."
    leave={() => endNotice(token)}
  />
)
