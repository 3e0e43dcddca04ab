import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { membershipPageQuery } from '#features/membership/queries.ts'
import { faqQuery } from '#features/pages/queries.ts'
import { titleTheme } from '#ui/title-theme.ts'
import { MembershipScreen } from './-MembershipScreen.tsx'

/** The house's own title colours (DESIGN.md, 7). */
const HOUSE = titleTheme('4A3A91', '3D2F7B', 'F6F6F3')

export const Route = createFileRoute('/subscription/{-$token}')({
  loader: async ({ context: { queryClient } }) => {
    const [page] = await Promise.all([
      queryClient.ensureQueryData(membershipPageQuery()),
      queryClient.ensureQueryData(faqQuery()),
    ])
    if (!page) throw notFound()
    return { band: HOUSE }
  },
  component: SubscriptionRoute,
})

function SubscriptionRoute() {
  const { data: page } = useSuspenseQuery(membershipPageQuery())
  const { data: faq } = useSuspenseQuery(faqQuery())
  const asked = faq.find(({ name }) => name === 'Membership') ?? faq[0]
  return page && <MembershipScreen page={page} theme={HOUSE} questions={asked?.faqsPublished ?? []} />
}
