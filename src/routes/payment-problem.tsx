import { createFileRoute } from '@tanstack/react-router'
import { PaymentProblem } from './-PaymentProblem.tsx'
import { returnSearch } from './-payment-return.ts'

export const Route = createFileRoute('/payment-problem')({
  validateSearch: returnSearch,
  component: () => <PaymentProblem proof={Route.useSearch()} />,
})
