import { createFileRoute } from '@tanstack/react-router'
import { returnSearch } from './-payment-return.ts'
import { PaymentSuccessful } from './-PaymentSuccessful.tsx'

export const Route = createFileRoute('/payment-successful')({
  validateSearch: returnSearch,
  component: () => <PaymentSuccessful proof={Route.useSearch()} />,
})
