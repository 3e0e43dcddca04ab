import { createFileRoute } from '@tanstack/react-router'
import { Later } from './-Later.tsx'

export const Route = createFileRoute('/gift')({
  component: () => (
    <Later title="Give a membership" way={{ to: '/subscription', words: 'See the plans' }}>
      Gifts are sold at the till, which is not open yet. The plans, and what each of them gives, can be read
      now.
    </Later>
  ),
})
