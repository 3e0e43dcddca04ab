import { ComingSoon } from '../pages/ComingSoon.tsx'

export const GiveMembershipScreen = () => (
  <ComingSoon title="Give a membership" way={{ to: '/subscription', words: 'See the plans' }}>
    You’ll be able to give a membership here soon. Until then, see what each plan includes. Single books can
    be sent as a gift today: choose “Send as a gift” in your bag.
  </ComingSoon>
)
