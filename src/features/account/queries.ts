import { queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import { call } from '#net/call.ts'

/** What deleting the account ends and refunds. Never cached, because it changes with time. */
export const deletionQuery = (id: string) =>
  queryOptions({
    queryKey: ownKey(id, 'deletion'),
    queryFn: ({ signal }) => call('GET /api/users/{id}/delete-account', { params: { id }, signal, as: id }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
