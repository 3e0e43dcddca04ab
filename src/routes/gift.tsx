import { createFileRoute } from '@tanstack/react-router'
import { Later } from './-Later.tsx'

export const Route = createFileRoute('/gift')({
  component: () => (
    <Later title="Give a membership" way={{ to: '/subscription', words: 'See the plans' }}>
      You’ll be able to give a membership here soon. Until then, see what each plan includes. Single books can
      be sent as a gift today: choose “Send as a gift” in your bag.
    </Later>
  ),
})
