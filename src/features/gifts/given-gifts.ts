import { queryOptions } from '@tanstack/react-query'
import { ownKey } from '#features/query-keys.ts'
import type { GivenByLink, GivenTitle } from '#contract/given-gifts.ts'
import type { GivenMembership, GivenState } from '#contract/membership-gifts.ts'
import { zoneInWords } from '#format/calendar-day.ts'
import { longDate, weekdayAndDay } from '#format/date.ts'
import { call } from '#net/call.ts'
import { giftTitle } from './occasions.ts'

export type Given = GivenMembership | GivenTitle

export const isMembership = (gift: Given): gift is GivenMembership => 'plan' in gift

export const givenQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'given'),
    queryFn: ({ signal }) => call('GET /api/subscriptions/given', { signal, as: ownerUuid }),
    staleTime: 0,
  })

export const allGivenQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ownKey(ownerUuid, 'all-given'),
    queryFn: async ({ signal }): Promise<readonly Given[]> => {
      const [titles, memberships] = await Promise.all([
        call('GET /api/gifts/given', { signal, as: ownerUuid }),
        call('GET /api/subscriptions/given', { signal, as: ownerUuid }),
      ])
      const all: Given[] = [...titles['hydra:member'], ...memberships['hydra:member']]
      return all.toSorted((one, other) => other.givenAt.localeCompare(one.givenAt))
    },
    staleTime: 0,
  })

export const givenByLinkQuery = (token: string) =>
  queryOptions({
    queryKey: ['given-by-link', token],
    queryFn: async ({ signal }) =>
      giftIn(await call('GET /api/gifts/given-by-link/{token}', { params: { token }, signal })),
    staleTime: 0,
    retry: false,
  })

const giftIn = ({ title, membership }: GivenByLink): Given | null => title ?? membership

export interface Correction {
  readonly giftEmail: string
  readonly giftRecipientFirstName?: string | null
  readonly giftMessage: string | null
  readonly giftDeliveryDate?: string
  readonly giftTimeZone?: string
}

/** `token`: from the link in the giver's email, for a giver who isn't logged in. */
export function correctGift(gift: Given, correction: Correction, token?: string): Promise<unknown> {
  const { id } = gift
  const body = { ...correction }
  if (token !== undefined) return call('PATCH /api/gifts/given-by-link/{token}', { params: { token }, body })
  if (isMembership(gift)) return call('PATCH /api/subscriptions/given/{id}', { params: { id }, body })
  return call('PATCH /api/gifts/given/{id}', { params: { id }, body })
}

export function sendAgain(gift: Given, token?: string): Promise<unknown> {
  const { id } = gift
  if (token !== undefined)
    return call('POST /api/gifts/given-by-link/{token}/send-again', { params: { token } })
  if (isMembership(gift)) return call('POST /api/subscriptions/given/{id}/send-again', { params: { id } })
  return call('POST /api/gifts/given/{id}/send-again', { params: { id } })
}

/** The address of a card to print. */
export async function makeCard(gift: Given, token?: string): Promise<string> {
  const { id } = gift
  const { address } =
    token !== undefined
      ? await call('POST /api/gifts/given-by-link/{token}/card', { params: { token } })
      : isMembership(gift)
        ? await call('POST /api/subscriptions/given/{id}/card', { params: { id } })
        : await call('POST /api/gifts/given/{id}/card', { params: { id } })
  return address
}

export function takeBack(gift: Given, token?: string): Promise<unknown> {
  const { id } = gift
  if (token !== undefined)
    return call('POST /api/gifts/given-by-link/{token}/take-back', { params: { token } })
  if (isMembership(gift)) return call('POST /api/subscriptions/given/{id}/take-back', { params: { id } })
  return call('POST /api/gifts/given/{id}/take-back', { params: { id } })
}

const nameOfGiven = (gift: Given): string =>
  isMembership(gift) ? giftTitle(gift.plan).join(' ') : gift.title

/** The recipient, in a sentence. */
export const recipientOf = (gift: Given): string =>
  (isMembership(gift) ? gift.giftRecipientFirstName : null) ?? gift.giftEmail

/**
 * A gift's title in a list: the gift and its recipient, except an address that `becameWords` shows anyway.
 */
export function titleOfGiven(gift: Given): string {
  const to = recipientOf(gift)
  const isSaidBelow = to === gift.giftEmail && becameWords(gift).includes(to)
  return isSaidBelow ? nameOfGiven(gift) : `${nameOfGiven(gift)}, for ${to}`
}

/** It was sent, and can be sent again. */
export const canSendAgain = ({ changeable, state }: Given): boolean => changeable && state !== 'scheduled'

/** The gift's outcome in words (MEMB-31). */
export function becameWords(gift: Given): string {
  const { state, giftUser, claimedAt } = gift
  if (state === 'claimed')
    return `Claimed${giftUser?.fullName ? ` by ${giftUser.fullName}` : ''}${claimedAt ? ` on ${longDate(claimedAt)}` : ''}.`
  if (state === 'refunded') return 'Refunded. It can’t be opened any more.'
  if (state === 'lapsed')
    return `Lapsed${isMembership(gift) ? ` on ${longDate(gift.claimableUntil)}` : ''}: it wasn’t claimed within 24 months.`
  return `Not claimed. ${UNCLAIMED[state](gift)}`
}

const UNCLAIMED: Record<
  Extract<GivenState, 'scheduled' | 'sending' | 'delivered' | 'failed'>,
  (gift: Given) => string
> = {
  scheduled: (gift) =>
    gift.giftDeliveryDate && gift.giftTimeZone
      ? `It arrives on ${weekdayAndDay(gift.giftDeliveryDate)}, 8:00 in the morning, ${zoneInWords(gift.giftTimeZone)}.`
      : 'It’s about to go out.',
  sending: ({ giftEmail }) => `It’s on its way to ${giftEmail}.`,
  delivered: ({ giftEmail, sentAt, givenAt }) =>
    `Delivered to ${giftEmail} on ${longDate(sentAt ?? givenAt)}.`,
  failed: ({ giftEmail }) => `It didn’t reach ${giftEmail}. Correct the address and we’ll send it again.`,
}
