import { createFileRoute } from '@tanstack/react-router'
import { membershipPageQuery } from '#features/membership/queries.ts'
import { faqQuery } from '#features/pages/queries.ts'
import { HOUSE } from '#ui/title-theme.ts'
import { SubscriptionScreen } from './-membership/SubscriptionScreen.tsx'

export const Route = createFileRoute('/subscription/{-$token}')({
  loader: async ({ context: { queryClient } }) => {
    const [page] = await Promise.all([
      queryClient.fetchQuery(membershipPageQuery()),
      // The page works without its questions and answers.
      queryClient.prefetchQuery(faqQuery()),
    ])
    return { band: page ? HOUSE : undefined }
  },
  component: () => <SubscriptionScreen token={Route.useParams().token} />,
})
