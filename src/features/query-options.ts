import { NetProblem } from '#net/problem.ts'
import type { UseQueryResult } from '@tanstack/react-query'

/** For what the shop shows to everybody: prices change at midnight at most; covers and texts almost never. */
export const TEN_MINUTES_MS = 600_000

/** A missing item is an answer: the loader shows the not-found page, and the query is not repeated. */
export function nullIfMissing(problem: unknown): null {
  if (problem instanceof NetProblem && problem.status === 404) return null
  throw problem
}

interface Page {
  readonly 'hydra:member': readonly unknown[]
  readonly 'hydra:totalItems': number
}

/** The number of a list's next page, counted from 1; undefined after the last one. */
export function nextPage(last: Page, pages: readonly Page[]): number | undefined {
  const loaded = pages.reduce((sum, page) => sum + page['hydra:member'].length, 0)
  return last['hydra:member'].length > 0 && loaded < last['hydra:totalItems'] ? pages.length + 1 : undefined
}

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
