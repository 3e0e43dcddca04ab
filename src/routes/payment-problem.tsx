import { createFileRoute } from '@tanstack/react-router'
import { PaymentProblem } from '#screens/checkout/PaymentProblem.tsx'
import { returnSearch } from '#screens/checkout/payment-return.ts'

export const Route = createFileRoute('/payment-problem')({
  validateSearch: returnSearch,
  component: () => <PaymentProblem proof={Route.useSearch()} />,
})
