import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import type { CardActivation } from '#contract/cards.ts'
import { call } from '#net/call.ts'
import { serverClockOffset } from '#net/server-clock.ts'

/** The files of a statement are signed for a short while: a desk stays open all day. */
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

/** `month` as `2026-10`; without one the shop's own. */
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

/** A bookshop's sales of today; the owner is part of the key. */
export const activationsQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'activations'),
    queryFn: ({ signal }) =>
      call('GET /api/audiobook-cards/activations', { signal, background: true, as: ownerUuid }),
  })

/** Seen at once, and asked again behind: the month's figures have changed too. */
export function noteActivation(
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

/** The ten minutes are the shop's, and a till's clock may be wrong. */
export const clockOffsetQuery = () =>
  queryOptions({
    queryKey: ['clock offset'],
    queryFn: async () => (await serverClockOffset(Date.now)) ?? 0,
    staleTime: 600_000,
  })
