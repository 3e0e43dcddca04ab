import { createFileRoute } from '@tanstack/react-router'
import { itemsQuery } from '#features/editorial/queries.ts'
import { EditorialList } from './-editorial/EditorialList.tsx'

export const Route = createFileRoute('/articles/')({
  loader: ({ context: { queryClient } }) => queryClient.ensureInfiniteQueryData(itemsQuery('articles')),
  component: () => <EditorialList kind="articles" />,
})
