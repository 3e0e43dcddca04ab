import { createFileRoute } from '@tanstack/react-router'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { OrderProblem } from './-checkout/PaymentProblem.tsx'

export const Route = createFileRoute('/payment-successful-problem')({
  staticData: { frame: 'own' },
  component: () => (
    <MembersOnly>
      <OrderProblem />
    </MembersOnly>
  ),
})
