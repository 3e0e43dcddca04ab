import { createFileRoute } from '@tanstack/react-router'
import { itemsQuery } from '#features/editorial/queries.ts'
import { EditorialList } from './-editorial/EditorialList.tsx'

export const Route = createFileRoute('/interviews/')({
  loader: ({ context: { queryClient } }) => queryClient.ensureInfiniteQueryData(itemsQuery('interviews')),
  component: () => <EditorialList kind="interviews" />,
})
