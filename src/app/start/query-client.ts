import { MINUTE_MS } from '#contract/durations.ts'
import { QueryClient } from '@tanstack/react-query'
import { NetProblem } from '#net/problem.ts'

/** Copies of the server. On the server each request has its own, in the browser one for the app's life. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The device's own word of being offline is often wrong; a query asks and learns (trap 22).
        networkMode: 'always',
        staleTime: MINUTE_MS,
        gcTime: 30 * MINUTE_MS,
        refetchOnWindowFocus: false,
        retry: (failures, error) =>
          failures < 1 && error instanceof NetProblem && error.kind === 'server' && error.status !== 500,
      },
    },
  })
}
