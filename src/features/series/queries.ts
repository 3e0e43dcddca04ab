import { queryOptions } from '@tanstack/react-query'
import type { Series } from '#contract/series.ts'
import { ownKey } from '#features/query-keys.ts'
import { nullIfMissing, TEN_MINUTES_MS } from '#features/query-options.ts'
import { call } from '#net/call.ts'

/** As any visitor sees it; null if there is no such series. */
export const seriesQuery = (slug: string) =>
  queryOptions({
    queryKey: ['series', slug],
    queryFn: ({ signal }): Promise<Series | null> =>
      call('GET /api/series/{slug}', { params: { slug }, signal, anonymous: true }).catch(nullIfMissing),
    staleTime: TEN_MINUTES_MS,
  })

/** With what this user owns. */
export const ownSeriesQuery = (slug: string, ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'series', slug),
    queryFn: ({ signal }): Promise<Series | null> =>
      call('GET /api/series/{slug}', { params: { slug }, signal, as: ownerUuid, background: true }).catch(
        nullIfMissing,
      ),
    staleTime: TEN_MINUTES_MS,
  })

/** The server emails a link that confirms it. */
export const askForNext = (slug: string, email: string) =>
  call('POST /api/series/{slug}/notices', { params: { slug }, body: { email } })

export const confirmNotice = (token: string) =>
  call('POST /api/series_notices/confirm/{token}', { params: { token }, anonymous: true })

/** From the link in the email. */
export const endNotice = (token: string) =>
  call('POST /api/series_notices/end/{token}', { params: { token }, anonymous: true })
