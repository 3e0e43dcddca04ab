import type { UseQueryResult } from '@tanstack/react-query'

/**
 * True while a query may still answer at its first try: what it would push down waits for it. Nothing waits for one
 * that failed once, though what is drawn then may ask again, or for one that nobody asks.
 */
export const isComing = ({
  isLoading,
  isFetched,
  failureCount,
}: Pick<UseQueryResult, 'isLoading' | 'isFetched' | 'failureCount'>): boolean =>
  isLoading && !isFetched && failureCount === 0
