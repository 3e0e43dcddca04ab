import { queryOptions } from '@tanstack/react-query'
import type { Series } from '#contract/series.ts'
import { ownKey } from '#features/query-keys.ts'
import { nullIfMissing, TEN_MINUTES_MS } from '#features/query-options.ts'
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

/** Asks for a mail with the link that confirms it. */
export const askForNext = (slug: string, email: string) =>
  call('POST /api/series/{slug}/notices', { params: { slug }, body: { email } })

/** Uses the link that asks whether somebody wants to hear of the next one; safe to repeat. */
export const confirmNotice = (token: string) =>
  call('POST /api/series_notices/confirm/{token}', { params: { token }, anonymous: true })

/** Nothing is sent any more to whom the mail went; safe to repeat. */
export const endNotice = (token: string) =>
  call('POST /api/series_notices/end/{token}', { params: { token }, anonymous: true })
