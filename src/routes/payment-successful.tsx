import { createFileRoute } from '@tanstack/react-router'
import { returnSearch } from '#screens/checkout/payment-return.ts'
import { PaymentSuccessful } from '#screens/checkout/PaymentSuccessful.tsx'

export const Route = createFileRoute('/payment-successful')({
  validateSearch: returnSearch,
  component: () => <PaymentSuccessful proof={Route.useSearch()} />,
})
