import { createFileRoute } from '@tanstack/react-router'
import { enterPayingDocument } from '#features/checkout/paying-document.ts'
import { PaymentScreen } from '#screens/checkout/PaymentScreen.tsx'

export const Route = createFileRoute('/payment')({
  staticData: { frame: 'till' },
  // A link that is only hovered must not reload the page.
  loader: ({ preload }) => (preload ? undefined : enterPayingDocument()),
  shouldReload: true,
  component: PaymentScreen,
})
