import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import { nextPage } from '#features/query-options.ts'
import { PAGE_SIZE } from '#contract/limits.ts'
import { call, OFFLINE_FIRST_MS } from '#net/call.ts'

/** The owner is part of the key, so that no cached library is shown to another user. */
export const libraryQuery = (ownerUuid: string) =>
  infiniteQueryOptions({
    queryKey: ownKey(ownerUuid, 'library'),
    queryFn: ({ pageParam, signal }) =>
      call('GET /api/libraries', {
        query: { page: pageParam, itemsPerPage: PAGE_SIZE.library },
        signal,
        // The service worker's copy or the downloads can be shown instead (trap 22).
        timeoutMs: OFFLINE_FIRST_MS,
        background: true,
        as: ownerUuid,
      }),
    initialPageParam: 1,
    getNextPageParam: nextPage,
  })

/** The account's titles stored on this device, updated with the server's answers. */
export const ownTitlesQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'titles'),
    queryFn: async () => (await import('#sync/own-titles.ts')).readOwnTitles(ownerUuid),
    enabled: ownerUuid !== '',
    networkMode: 'always',
    staleTime: Infinity,
  })
