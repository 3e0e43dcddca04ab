import { createFileRoute } from '@tanstack/react-router'
import { returnSearch } from '#features/checkout/addresses.ts'
import { PaymentSuccessful } from './-checkout/PaymentSuccessful.tsx'

export const Route = createFileRoute('/payment-successful')({
  staticData: { frame: 'own' },
  // Its search is read by the screen, not in every page's first JavaScript.
  component: () => <PaymentSuccessful proof={returnSearch(Route.useSearch())} />,
})
