import { createFileRoute } from '@tanstack/react-router'
import { highlightsQuery } from '#features/catalogue/queries.ts'
import { MembersOnly } from './-account/MembersOnly.tsx'
import { HOUSE } from '#ui/title-theme.ts'
import { SubscriptionDetailsScreen } from './-membership/SubscriptionDetailsScreen.tsx'

export const Route = createFileRoute('/subscription-details')({
  staticData: { frame: 'own' },
  loader: ({ context: { queryClient } }) => {
    void queryClient.prefetchQuery(highlightsQuery())
    return { band: HOUSE }
  },
  component: () => (
    <MembersOnly>
      <SubscriptionDetailsScreen />
    </MembersOnly>
  ),
})
