import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Gift } from '#contract/gifts.ts'
import type { MembershipGift } from '#contract/membership-gifts.ts'
import { ownKey } from '#features/query-keys.ts'
import { nullIfMissing } from '#features/query-options.ts'
import { longDate } from '#format/date.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'
import { reloadUser } from '#session/session.ts'
import { useSession } from '#session/store.ts'
import { giftTitle } from './occasions.ts'

/** A link's URL contains the kind; a typed code doesn't. */
export type GiftKind = 'book' | 'membership'

export type Found =
  | { readonly kind: 'audio_books' | 'e_books'; readonly gift: Gift }
  | { readonly kind: 'subscriptions'; readonly gift: MembershipGift }

/**
 * The gift for a link or a typed code; null for an unknown one. Neither says whether a book is an audiobook or
 * an e-book, so fetch its kind first: each wrong request counts as a guess.
 */
export async function seeGift(token: string, of?: GiftKind): Promise<Found | null> {
  const params = { token }
  const kind =
    of === 'membership'
      ? 'subscriptions'
      : (await call('GET /api/gifts/claim/{token}', { params }).catch(nullIfMissing))?.kind
  if (!kind || (of === 'book' && kind === 'subscriptions')) return null
  if (kind === 'subscriptions') {
    const gift = await call('GET /api/subscriptions/claim/{token}', { params }).catch(nullIfMissing)
    return gift && { kind, gift }
  }
  const gift = await call(`GET /api/${kind}/claim/{token}`, { params }).catch(nullIfMissing)
  return gift && { kind, gift }
}

export const giftQuery = (of: GiftKind, token: string) =>
  queryOptions({
    queryKey: ['gift', of, token],
    queryFn: () => seeGift(token, of),
    staleTime: 0,
    // Don't retry a refusal: a replaced link stays replaced.
    retry: (times, problem) => times < 2 && !(problem instanceof NetProblem && problem.kind === 'refused'),
  })

export async function claimFound(found: Found, token: string | undefined): Promise<Found> {
  if (token !== undefined) return claimGift(found, token)
  const { id } = found.gift
  return found.kind === 'subscriptions'
    ? { kind: found.kind, gift: await claimWaitingMembership(id) }
    : { kind: found.kind, gift: await claimWaiting(id) }
}

export async function claimGift(found: Found, token: string): Promise<Found> {
  const params = { token }
  if (found.kind === 'subscriptions')
    return { kind: found.kind, gift: await call('POST /api/subscriptions/claim/{token}', { params }) }
  await call(`POST /api/${found.kind}/claim/{token}`, { params })
  // The reply is the book, which says neither when it was claimed nor whether the giver can be thanked.
  return { kind: found.kind, gift: await call(`GET /api/${found.kind}/claim/{token}`, { params }) }
}

export const waitingGiftsQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'gifts'),
    queryFn: ({ signal }) => call('GET /api/gifts', { signal, background: true }),
  })

const claimWaiting = (id: string): Promise<Gift> => call('POST /api/gifts/{id}/claim', { params: { id } })

/** This account's memberships that are unclaimed, or start when another one ends. */
export const waitingMembershipsQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'membership-gifts'),
    queryFn: ({ signal }) => call('GET /api/subscriptions/gifts', { signal, background: true }),
  })

export const claimWaitingMembership = (id: string): Promise<MembershipGift> =>
  call('POST /api/subscriptions/gifts/{id}/claim', { params: { id } })

export const waitingGiftQuery = (of: GiftKind, ownerUuid: string, id: string) =>
  queryOptions({
    queryKey: ['waiting-gift', ownerUuid, of, id],
    queryFn: async ({ signal }): Promise<Found | null> => {
      if (of === 'membership') {
        const { 'hydra:member': gifts } = await call('GET /api/subscriptions/gifts', { signal })
        const gift = gifts.find((each) => each.id === id)
        return gift ? { kind: 'subscriptions', gift } : null
      }
      const { 'hydra:member': gifts } = await call('GET /api/gifts', { signal })
      const gift = gifts.find((each) => each.id === id)
      return gift ? { kind: gift.audioBook ? 'audio_books' : 'e_books', gift } : null
    },
    // The server lists unclaimed gifts only; one that was opened here stays on the screen.
    staleTime: ({ state }) => (state.data?.gift.claimedAt ? Infinity : 0),
  })

export function useClaimed(): (found: Found) => Promise<string> {
  const queryClient = useQueryClient()
  const owner = useSession((state) => state.owner?.uuid ?? '')
  return async (found) => {
    if (found.kind === 'subscriptions') await reloadUser().catch(() => undefined)
    await queryClient.invalidateQueries({ queryKey: ownKey(owner) })
    return claimedWords(found)
  }
}

function claimedWords(found: Found): string {
  if (found.kind === 'subscriptions') return membershipWords(found.gift)
  return `${(found.gift.audioBook ?? found.gift.eBook)?.title ?? 'Your gift'} is in your library.`
}

/** It is active, or starts when another one ends. */
function membershipWords({ plan, state, startsAt }: MembershipGift): string {
  const what = giftTitle(plan).join(' ')
  return state === 'waiting' ? `${what} is kept for you. ${beginsWords(startsAt)}` : `${what} has started.`
}

export const beginsWords = (startsAt: string | null): string =>
  startsAt
    ? `It starts automatically on ${longDate(startsAt)}, when your own membership ends.`
    : 'It starts automatically when your own membership ends.'
