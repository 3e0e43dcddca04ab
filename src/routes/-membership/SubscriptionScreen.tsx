import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { membershipPageQuery } from '#features/membership/queries.ts'
import { faqQuery } from '#features/pages/queries.ts'
import { ConfirmOnArrival } from './ConfirmOnArrival.tsx'
import { HOUSE } from '#ui/title-theme.ts'
import { MembershipScreen } from './MembershipScreen.tsx'
import { SimplerMembership } from './SimplerMembership.tsx'

/** @param token of a confirmation link that leads here (MEMB-13) */
export function SubscriptionScreen({ token }: { token: string | undefined }) {
  return (
    <>
      {token && <ConfirmOnArrival token={token} />}
      <Plans />
    </>
  )
}

function Plans() {
  const { data: page } = useSuspenseQuery(membershipPageQuery())
  const { data: faq = [] } = useQuery(faqQuery())
  const asked = faq.find(({ name }) => name === 'Membership') ?? faq[0]
  if (!page) return <SimplerMembership />
  return <MembershipScreen page={page} theme={HOUSE} questions={asked?.faqsPublished ?? []} />
}
