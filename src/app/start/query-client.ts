import { MINUTE_MS } from '#contract/durations.ts'
import { QueryClient } from '@tanstack/react-query'
import { NetProblem } from '#net/problem.ts'
import type { JsonLd } from '../page/structured-data.ts'

export interface RouteContext {
  readonly queryClient: QueryClient
  /** Lets a loader set the server's response; ignored in the browser. */
  readonly answer: { status?: number; things?: readonly JsonLd[] }
}

/** The server asks for 2 to 60 seconds; the first answer to a screen must not take longer than this. */
const LONGEST_RETRY_S = 5

/** One per request on the server, one per page in the browser. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The browser's offline status is often wrong; send the query anyway (trap 22).
        networkMode: 'always',
        staleTime: MINUTE_MS,
        gcTime: 30 * MINUTE_MS,
        refetchOnWindowFocus: false,
        retry: (failures, error) =>
          failures < 1 && error instanceof NetProblem && error.kind === 'server' && error.status !== 500,
        retryDelay: (_failures, error) =>
          Math.min((error instanceof NetProblem && error.retryAfterSeconds) || 1, LONGEST_RETRY_S) * 1000,
      },
    },
  })
}
