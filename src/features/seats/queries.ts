import { queryOptions } from '@tanstack/react-query'
import type { Seats } from '#contract/seats.ts'
import { ownKey } from '#features/query-keys.ts'
import { call } from '#net/call.ts'

const KEY = ['editorial', 'seats'] as const

/** Never kept for long: others keep seats meanwhile. `owner` is the user, or '' for a visitor. */
export const seatsQuery = (slug: string, owner: string) =>
  queryOptions({
    queryKey: owner ? ownKey(owner, ...KEY, slug) : [...KEY, slug],
    queryFn: ({ signal }): Promise<Seats> =>
      call('GET /api/discussions/{id}/seats', {
        params: { id: slug },
        signal,
        ...(owner ? { as: owner, background: true } : { anonymous: true }),
      }),
    staleTime: 0,
  })

/** At coming events, the next first. */
export const ownSeatsQuery = (owner: string) =>
  queryOptions({
    queryKey: ownKey(owner, 'editorial', 'own-seats'),
    queryFn: ({ signal }) => call('GET /api/seats', { signal, background: true, as: owner }),
    staleTime: 0,
  })

export const keepSeat = (slug: string) => call('POST /api/discussions/{id}/seat', { params: { id: slug } })
export const giveSeatBack = (slug: string) =>
  call('DELETE /api/discussions/{id}/seat', { params: { id: slug } })

/** The server emails a link that confirms it. */
export const askForSeat = (slug: string, guest: { email: string; name: string }) =>
  call('POST /api/discussions/{id}/seats', { params: { id: slug }, body: guest, anonymous: true })

/** From the links in the emails. */
export const confirmSeat = (token: string) =>
  call('POST /api/seats/confirm/{token}', { params: { token }, anonymous: true })
export const giveSeatBackByLink = (token: string) =>
  call('POST /api/seats/give-back/{token}', { params: { token }, anonymous: true })
