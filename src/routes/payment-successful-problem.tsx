import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from '#screens/account/MembersOnly.tsx'
import { OrderProblem } from '#screens/checkout/OrderProblem.tsx'

export const Route = createFileRoute('/payment-successful-problem')({
  component: () => (
    <MembersOnly>
      <OrderProblem />
    </MembersOnly>
  ),
})
