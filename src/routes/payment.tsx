import { createFileRoute } from '@tanstack/react-router'
import { enterPayingDocument } from '#features/checkout/stripe.ts'
import { PaymentScreen } from './-checkout/PaymentScreen.tsx'
import { checkoutSearch, type CheckoutSearch } from '#features/checkout/addresses.ts'

export const Route = createFileRoute('/payment')({
  staticData: { frame: 'checkout' },
  // Read where it is needed, not in every page's first JavaScript.
  validateSearch: (search: CheckoutSearch) => search,
  // A link that is only hovered must not reload the page.
  loader: ({ preload }) => (preload ? undefined : enterPayingDocument()),
  shouldReload: true,
  component: () => <PaymentScreen search={checkoutSearch(Route.useSearch())} />,
})
