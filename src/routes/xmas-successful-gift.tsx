import { createFileRoute } from '@tanstack/react-router'
import { MembershipGiven, type XmasSearch } from './-checkout/MembershipGiven.tsx'
import { returnSearch, type ReturnProof } from '#features/checkout/addresses.ts'

export const Route = createFileRoute('/xmas-successful-gift')({
  staticData: { frame: 'own' },
  // Every value of an address is text here; what it says is read by the screen.
  validateSearch: (search: XmasSearch & ReturnProof) => search,
  component: () => {
    const search = Route.useSearch()
    return <MembershipGiven proof={returnSearch(search)} xmas={search} />
  },
})
