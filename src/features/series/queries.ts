import { queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import { TEN_MINUTES_MS, nullIfMissing } from '#features/query-options.ts'
import type { Series } from '#contract/series.ts'
import { call } from '#net/call.ts'

/** The series as any visitor of the country sees it; null for one that does not exist. */
export const seriesQuery = (slug: string) =>
  queryOptions({
    queryKey: ['series', slug],
    queryFn: ({ signal }): Promise<Series | null> =>
      call('GET /api/series/{slug}', { params: { slug }, signal, anonymous: true }).catch(nullIfMissing),
    staleTime: TEN_MINUTES_MS,
  })

/** The same with what this listener owns of it. */
export const ownSeriesQuery = (slug: string, ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'series', slug),
    queryFn: ({ signal }): Promise<Series | null> =>
      call('GET /api/series/{slug}', { params: { slug }, signal, as: ownerUuid, background: true }).catch(
        nullIfMissing,
      ),
    staleTime: TEN_MINUTES_MS,
  })
