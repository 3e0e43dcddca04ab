import { createFileRoute } from '@tanstack/react-router'
import { Later } from './-Later.tsx'

export const Route = createFileRoute('/free-trial')({
  component: () => (
    <Later title="Start 30-day Premium trial" way={{ to: '/subscription', words: 'See the plans' }}>
      You’ll be able to start your trial here soon: thirty days of Reader, at no charge. Until then, see what
      each plan includes.
    </Later>
  ),
})
