import { createFileRoute } from '@tanstack/react-router'
import { publishersPageQuery } from '#features/catalogue/queries.ts'
import { PublishersScreen } from './-catalogue/PublishersScreen.tsx'

export const Route = createFileRoute('/publishers/')({
  loader: ({ context: { queryClient } }) => queryClient.ensureQueryData(publishersPageQuery()),
  component: PublishersScreen,
})
