import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#net/call.ts'
import { notFound, redirect } from '@tanstack/react-router'
import type { BookCard } from '#contract/catalogue.ts'
import { addressOf, otherSpelling, type Place, placeOf } from './model.ts'
import { spiSinQuery } from '#features/catalogue/queries.ts'

/** Awaited on the server only: no navigation in the browser waits for it. */
export async function loadSettings(queryClient: QueryClient): Promise<void> {
  const loading = queryClient.prefetchQuery(settingsQuery())
  if (typeof document === 'undefined') await loading
}

/** Whether a buyer's email is required (RESL-06), and contacts for questions about cards. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) =>
      call('GET /api/settings/{name}', { params: { name: '1' }, signal, anonymous: true, background: true }),
    staleTime: 600_000,
  })

export interface RedemptionAt {
  readonly place: Place
  /** Set on the pages of one title. */
  readonly title: BookCard | null
}

/** The step of this address; not found for an unknown title (RDM-20). */
export async function loadRedemption(
  { queryClient }: { queryClient: QueryClient },
  { spisin, step }: { spisin?: string | undefined; step?: string | undefined },
): Promise<RedemptionAt> {
  const place = placeOf(spisin, step)
  const other = place ? undefined : otherSpelling(spisin, step)
  if (other) throw redirect({ ...addressOf(other), replace: true })
  if (!place) throw notFound()
  await loadSettings(queryClient)
  if (place.spiSIN === null) return { place, title: null }
  const title = await queryClient.ensureQueryData(spiSinQuery(place.spiSIN))
  if (!title) throw notFound()
  return { place, title }
}
