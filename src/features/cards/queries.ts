import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { call } from '#net/call.ts'

/** In a page from the server they stand at once; in the browser nobody waits for them. */
export async function loadSettings(queryClient: QueryClient): Promise<void> {
  const loading = queryClient.prefetchQuery(settingsQuery())
  if (typeof document === 'undefined') await loading
}

/** True if a card is only sold with an address for its receipt (RESL-06), and whom to ask about cards. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) =>
      call('GET /api/settings/{name}', { params: { name: '1' }, signal, anonymous: true, background: true }),
    staleTime: 600_000,
  })
