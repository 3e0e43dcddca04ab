import { queryOptions } from '@tanstack/react-query'
import type { Gift } from '#contract/gifts.ts'
import { call } from '#net/call.ts'
import { NetProblem } from '#net/problem.ts'

type Kind = 'audio_books' | 'e_books'

/** What a gift link or a typed code holds, of whichever format; null for none. Neither says which, so both are asked. */
export async function seeGift(token: string): Promise<{ kind: Kind; gift: Gift } | null> {
  for (const kind of ['audio_books', 'e_books'] as const) {
    const gift = await call(`GET /api/${kind}/claim/{token}`, { params: { token } }).catch(orNull)
    if (gift) return { kind, gift }
  }
  return null
}

export const giftQuery = (token: string) =>
  queryOptions({ queryKey: ['gift', token], queryFn: () => seeGift(token), staleTime: 0 })

/** Puts it into the caller's library; repeating it is answered the same. */
export const claimGift = (kind: Kind, token: string): Promise<unknown> =>
  call(`POST /api/${kind}/claim/{token}`, { params: { token } })

export const waitingGiftsQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ['own', ownerUuid, 'gifts'],
    queryFn: ({ signal }) => call('GET /api/gifts', { signal, background: true }),
  })

export const claimWaiting = (id: string): Promise<Gift> =>
  call('POST /api/gifts/{id}/claim', { params: { id } })

function orNull(problem: unknown): null {
  if (problem instanceof NetProblem && problem.status === 404) return null
  throw problem
}
