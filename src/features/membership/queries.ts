import { queryOptions } from '@tanstack/react-query'
import { call } from '#net/call.ts'

const TEN_MINUTES_MS = 600_000

/** The owner's words for the membership page; the first member is used, null where there is none. */
export const membershipPageQuery = () =>
  queryOptions({
    queryKey: ['membership', 'page'],
    queryFn: async ({ signal }) =>
      (await call('GET /api/membership_pages', { signal, anonymous: true }))['hydra:member'][0] ?? null,
    staleTime: TEN_MINUTES_MS,
  })
