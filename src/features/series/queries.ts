import { queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import type { Series } from '#contract/series.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'

const TEN_MINUTES_MS = 600_000

/** The series as any visitor of the country sees it; null for one that does not exist. */
export const seriesQuery = (slug: string) =>
  queryOptions({
    queryKey: ['series', slug],
    queryFn: ({ signal }): Promise<Series | null> =>
      call('GET /api/series/{slug}', { params: { slug }, signal, anonymous: true }).catch(orNull),
    staleTime: TEN_MINUTES_MS,
  })

/** The same with what this listener owns of it. */
export const ownSeriesQuery = (slug: string, ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'series', slug),
    queryFn: ({ signal }): Promise<Series | null> =>
      call('GET /api/series/{slug}', { params: { slug }, signal, as: ownerUuid, background: true }).catch(
        orNull,
      ),
    staleTime: TEN_MINUTES_MS,
  })

function orNull(problem: unknown): null {
  if (problem instanceof NetProblem && problem.status === 404) return null
  throw problem
}
