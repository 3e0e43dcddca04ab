import { createFileRoute } from '@tanstack/react-router'
import { PaymentProblem } from './-checkout/PaymentProblem.tsx'
import { returnSearch } from '#features/checkout/addresses.ts'

export const Route = createFileRoute('/payment-problem')({
  staticData: { frame: 'own' },
  // Its search is read by the screen, not in every page's first JavaScript.
  component: () => <PaymentProblem proof={returnSearch(Route.useSearch())} />,
})
