import { createFileRoute } from '@tanstack/react-router'
import { enterPayingDocument } from '#features/checkout/paying-document.ts'
import { TrialTill } from '#screens/checkout/TrialTill.tsx'

export const Route = createFileRoute('/free-trial')({
  staticData: { frame: 'till' },
  // A link that is only hovered must not reload the page.
  loader: ({ preload }) => (preload ? undefined : enterPayingDocument()),
  shouldReload: true,
  component: () => <TrialTill search={Route.useSearch()} />,
})
