import { createFileRoute } from '@tanstack/react-router'
import { enterPayingDocument } from '#features/checkout/stripe.ts'
import { TrialCheckout } from './-checkout/TrialCheckout.tsx'

export const Route = createFileRoute('/free-trial')({
  staticData: { frame: 'checkout' },
  // A link that is only hovered must not reload the page.
  loader: ({ preload }) => (preload ? undefined : enterPayingDocument()),
  shouldReload: true,
  component: () => <TrialCheckout search={Route.useSearch()} />,
})
