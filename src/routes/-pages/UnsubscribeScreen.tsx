import { unsubscribe } from '#features/newsletter/mutations.ts'
import { LeaveList } from './LeaveList.tsx'

/** The newsletter's link. */
export const UnsubscribeScreen = ({ token }: { token: string }) => (
  <LeaveList
    title="Leave the newsletter"
    verb="Unsubscribe"
    left="We won’t send you any more newsletters."
    leave={() => unsubscribe(token)}
  />
)
