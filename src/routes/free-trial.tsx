import { createFileRoute } from '@tanstack/react-router'
import { Later } from './-Later.tsx'

export const Route = createFileRoute('/free-trial')({
  component: () => (
    <Later title="Start 30-day Premium trial" way={{ to: '/subscription', words: 'See the plans' }}>
      The trial begins at the till, which is not open yet: thirty days of Reader, at no charge. What it brings
      can be read now.
    </Later>
  ),
})
