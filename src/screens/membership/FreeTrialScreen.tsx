import { ComingSoon } from '../pages/ComingSoon.tsx'

export const FreeTrialScreen = () => (
  <ComingSoon title="Start 30-day Premium trial" way={{ to: '/subscription', words: 'See the plans' }}>
    You’ll be able to start your trial here soon: thirty days of Reader, at no charge. Until then, see what
    each plan includes.
  </ComingSoon>
)
