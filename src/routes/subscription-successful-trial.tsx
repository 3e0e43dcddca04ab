import { createFileRoute } from '@tanstack/react-router'
import { MembershipStarted } from './-checkout/MembershipStarted.tsx'
import { returnSearch } from '#features/checkout/addresses.ts'

export const Route = createFileRoute('/subscription-successful-trial')({
  staticData: { frame: 'own' },
  // Its search is read by the screen, not in every page's first JavaScript.
  component: () => <MembershipStarted proof={returnSearch(Route.useSearch())} trial />,
})
