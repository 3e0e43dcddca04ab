import { endNotice } from '#features/series/mutations.ts'
import { LeaveList } from '../-pages/LeaveList.tsx'

/** The link of the mail that asks whether somebody wants to hear of the next title. */
export const NoMoreOfSeries = ({ token }: { token: string }) => (
  <LeaveList
    title="Stop waiting for the next one"
    verb="Unsubscribe"
    left="We won’t write to you about this series."
    leave={() => endNotice(token)}
  />
)
