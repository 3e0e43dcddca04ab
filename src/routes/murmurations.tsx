import { createFileRoute } from '@tanstack/react-router'
import { idsIn } from '#format/address.ts'
import { murmurationsQuery, typesQuery } from '#features/editorial/queries.ts'
import { MurmurationsScreen } from './-editorial/MurmurationsScreen.tsx'

export const Route = createFileRoute('/murmurations')({
  validateSearch: (search): { types?: readonly number[] } => ({ types: idsIn(search.types).slice(0, 50) }),
  loaderDeps: ({ search: { types = [] } }) => ({ types }),
  loader: async ({ context: { queryClient }, deps: { types } }) => {
    await Promise.all([
      queryClient.ensureInfiniteQueryData(murmurationsQuery(types)),
      queryClient.ensureQueryData(typesQuery()),
    ])
  },
  component: () => <MurmurationsScreen types={Route.useLoaderDeps().types} />,
})
