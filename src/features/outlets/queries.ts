import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import type { CardActivation } from '#contract/cards.ts'
import type { StarterPackWish } from '#contract/outlets.ts'
import { call } from '#net/call.ts'
import { serverClockOffset } from '#net/connectivity.ts'

/** Refreshed because the signed addresses of statements expire soon, and a point of sale stays open all day. */
const FRESH_MS = 60_000

export const accountQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'outlet', 'account'),
    queryFn: ({ signal }) => call('GET /api/outlet/account', { signal, background: true, as: ownerUuid }),
  })

export const statementsQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'outlet', 'statements'),
    queryFn: ({ signal }) => call('GET /api/outlet/statements', { signal, background: true, as: ownerUuid }),
    staleTime: FRESH_MS,
    refetchInterval: FRESH_MS,
  })

/** @param month as `2026-10`; the current month by default */
export const additionsQuery = (ownerUuid: string, month?: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'outlet', 'additions', month ?? ''),
    queryFn: ({ signal }) =>
      call('GET /api/outlet/additions', {
        query: month === undefined ? {} : { month },
        signal,
        background: true,
        as: ownerUuid,
      }),
  })

export const activationsQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'activations'),
    queryFn: ({ signal }) =>
      call('GET /api/audiobook-cards/activations', { signal, background: true, as: ownerUuid }),
  })

/** Shows an activation at once, and refetches the account, whose figures it changes. */
export function storeActivation(
  queryClient: QueryClient,
  ownerUuid: string,
  activation: CardActivation,
): void {
  queryClient.setQueryData(activationsQuery(ownerUuid).queryKey, (known) => {
    if (!known) return known
    const others = known['hydra:member'].filter(({ id }) => id !== activation.id)
    const wasThere = others.length < known['hydra:member'].length
    const member = wasThere
      ? known['hydra:member'].map((each) => (each.id === activation.id ? activation : each))
      : [activation, ...others]
    return { ...known, 'hydra:member': member, 'hydra:totalItems': member.length }
  })
  void queryClient.invalidateQueries({ queryKey: ownKey(ownerUuid) })
}

/** The server emails the shop, and a copy to the bookshop. Safe to repeat. */
export const askForStarterPack = (wish: StarterPackWish) =>
  call('POST /api/starter_packs', { body: wish, anonymous: true })

/** The ten minutes for taking back are counted by the server's clock, because a bookshop's may be wrong. */
export const clockOffsetQuery = () =>
  queryOptions({
    queryKey: ['clock offset'],
    queryFn: async () => (await serverClockOffset(Date.now)) ?? 0,
    staleTime: 600_000,
  })
