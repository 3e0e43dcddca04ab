import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from './-MembersOnly.tsx'
import { OrderProblem } from './-OrderProblem.tsx'

export const Route = createFileRoute('/payment-successful-problem')({
  component: () => (
    <MembersOnly>
      <OrderProblem />
    </MembersOnly>
  ),
})
