import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { membershipPageQuery } from '#features/membership/queries.ts'
import { faqQuery } from '#features/pages/queries.ts'
import { titleTheme } from '#ui/title-theme.ts'
import { ConfirmOnArrival } from './-ConfirmOnArrival.tsx'
import { MembershipScreen } from './-MembershipScreen.tsx'
import { SimplerMembership } from './-SimplerMembership.tsx'

/** The house's own title colours (docs/design.md, Screens). */
const HOUSE = titleTheme('4A3A91', '3D2F7B', 'F6F6F3')

export const Route = createFileRoute('/subscription/{-$token}')({
  loader: async ({ context: { queryClient } }) => {
    const [page] = await Promise.all([
      queryClient.fetchQuery(membershipPageQuery()),
      // Its questions and answers are an extra.
      queryClient.prefetchQuery(faqQuery()),
    ])
    return { band: page ? HOUSE : undefined }
  },
  component: SubscriptionRoute,
})

function SubscriptionRoute() {
  const { token } = Route.useParams()
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
