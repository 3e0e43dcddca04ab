import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { CardActivation } from '#contract/cards.ts'
import { call } from '#net/call.ts'
import { serverClockOffset } from '#net/server-clock.ts'

/** In a page from the server they stand at once; in the browser nobody waits for them. */
export async function loadSettings(queryClient: QueryClient): Promise<void> {
  const loading = queryClient.prefetchQuery(settingsQuery())
  if (typeof document === 'undefined') await loading
}

/** A bookshop's sales of today; the owner is part of the key. */
export const activationsQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ['own', ownerUuid, 'activations'],
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
  void queryClient.invalidateQueries({ queryKey: ['own', ownerUuid] })
}

/** True if a card is only sold with an address for its receipt (RESL-06), and whom to ask about cards. */
export const settingsQuery = () =>
  queryOptions({
    queryKey: ['settings'],
    queryFn: ({ signal }) =>
      call('GET /api/settings/{name}', { params: { name: '1' }, signal, anonymous: true, background: true }),
    staleTime: 600_000,
  })

/** The ten minutes are the shop's, and a till's clock may be wrong. */
export const clockOffsetQuery = () =>
  queryOptions({
    queryKey: ['clock offset'],
    queryFn: async () => (await serverClockOffset(Date.now)) ?? 0,
    staleTime: 600_000,
  })
