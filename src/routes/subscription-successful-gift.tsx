import { createFileRoute } from '@tanstack/react-router'
import { MembershipGiven } from './-checkout/MembershipGiven.tsx'
import { returnSearch } from '#features/checkout/addresses.ts'

export const Route = createFileRoute('/subscription-successful-gift')({
  staticData: { frame: 'own' },
  // Its search is read by the screen, not in every page's first JavaScript.
  component: () => <MembershipGiven proof={returnSearch(Route.useSearch())} />,
})
