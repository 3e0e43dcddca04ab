import type { UseQueryResult } from '@tanstack/react-query'

/**
 * True during a query's first attempt. Content below waits for it, so that it isn't pushed down; retries and disabled
 * queries don't hold it up.
 */
export const isComing = ({
  isLoading,
  isFetched,
  failureCount,
}: Pick<UseQueryResult, 'isLoading' | 'isFetched' | 'failureCount'>): boolean =>
  isLoading && !isFetched && failureCount === 0
