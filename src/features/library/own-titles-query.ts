import { queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'

/** What this device knows of the account's titles; the server's word on them goes into it. */
export const ownTitlesQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'titles'),
    queryFn: async () => (await import('#sync/own-titles.ts')).readOwnTitles(ownerUuid),
    enabled: ownerUuid !== '',
    networkMode: 'always',
    staleTime: Infinity,
  })
