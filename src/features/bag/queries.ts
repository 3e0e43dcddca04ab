import { queryOptions, type QueryClient } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import { TEN_MINUTES_MS } from '#features/query-options.ts'
import type { Cart } from '#contract/bag.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { bagHolder, dropCart, type BagHolder } from './store.ts'
import { bagOnDevice, isWaiting, keepBag, type ShownCart, withWaiting } from './waiting.ts'

/**
 * The bag with its sums; null without a bag. Refetched when the tab regains focus, because another tab may
 * have changed the bag.
 */
export const bagQuery = (holder: BagHolder) =>
  queryOptions({
    queryKey: bagKey(holder),
    queryFn: async ({ signal }): Promise<ShownCart | null> => {
      try {
        const cart = await askForBag(holder, signal)
        keepBag(holder, cart)
        return withWaiting(holder, cart)
      } catch (problem) {
        const kept =
          problem instanceof NetProblem && problem.unreachable && !signal.aborted && bagOnDevice(holder)
        if (!kept) throw problem
        return kept
      }
    },
    // A visitor's first title may be waiting on this device, before the server has a bag.
    enabled: holder.kind !== 'nobody' || isWaiting(holder),
    staleTime: 5_000,
    refetchOnWindowFocus: true,
  })

async function askForBag(holder: BagHolder, signal: AbortSignal): Promise<Cart | null> {
  if (holder.kind === 'nobody') return null
  if (holder.kind === 'user') return call('GET /api/carts/own', { signal, background: true })
  try {
    return await call('GET /api/carts/{id}', { params: { id: holder.cartId }, signal, anonymous: true })
  } catch (problem) {
    if (!(problem instanceof NetProblem) || problem.status !== 404) throw problem
    // The bag was deleted or joined an account: start a new one on this device.
    dropCart(holder.cartId)
    return null
  }
}

export const bagKey = (holder: BagHolder) =>
  holder.kind === 'user'
    ? ownKey(holder.uuid, 'bag')
    : ['bag', holder.kind === 'guest' ? holder.cartId : 'none']

export const currentBag = (queryClient: QueryClient): Cart | null =>
  queryClient.getQueryData<Cart | null>(bagKey(bagHolder())) ?? null

/**
 * Stores a response that contains the whole bag. Cancels running queries, because their responses would be
 * older.
 */
export async function receivedBag(queryClient: QueryClient, cart: Cart): Promise<void> {
  const queryKey = bagKey(bagHolder())
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, cart)
}

/**
 * The free audiobooks of an account's membership: how many, until when, and the refund that a withdrawal
 * would still pay after choosing one. Null without a membership, or if the shop granted it for free.
 */
export const choiceQuery = (owner: string) =>
  queryOptions({
    queryKey: ownKey(owner, 'choice'),
    queryFn: async ({ signal }) => {
      const how = { signal, as: owner, background: true }
      const current = await call('GET /api/get-current-subscription', how)
      if (!current) return null
      const { credits, subscription } = await call('GET /api/subscriptions/{id}/details', {
        ...how,
        params: { id: current.id },
      })
      return { ...credits, gift: subscription.gift }
    },
    enabled: owner !== '',
    staleTime: 0,
  })

/** Three audiobooks to choose from, by what the user finished. */
export const suggestionsQuery = (owner: string) =>
  queryOptions({
    queryKey: ownKey(owner, 'suggestions'),
    queryFn: ({ signal }) => call('GET /api/suggested_audio_books', { signal, as: owner, background: true }),
    enabled: owner !== '',
    staleTime: TEN_MINUTES_MS,
  })

export const forgetBag = (queryClient: QueryClient): void =>
  void queryClient.resetQueries({ queryKey: bagKey(bagHolder()) })

export const reloadBag = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: bagKey(bagHolder()) })
