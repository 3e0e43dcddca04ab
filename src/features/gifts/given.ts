import { queryOptions } from '@tanstack/react-query'
import type { GivenMembership } from '#contract/membership-gifts.ts'
import { zoneInWords } from '#format/calendar-day.ts'
import { longDate, weekdayAndDay } from '#format/date.ts'
import { call } from '#net/call.ts'

/** Memberships that the caller gave, newest first. */
export const givenQuery = (ownerUuid: string) =>
  queryOptions({
    queryKey: ['own', ownerUuid, 'given'],
    queryFn: ({ signal }) => call('GET /api/subscriptions/given', { signal, as: ownerUuid }),
    staleTime: 0,
  })

export interface Correction {
  readonly giftEmail: string
  readonly giftRecipientFirstName: string | null
  readonly giftMessage: string | null
  readonly giftDeliveryDate?: string
  readonly giftTimeZone?: string
}

export const correctGift = (id: string, correction: Correction): Promise<GivenMembership> =>
  call('PATCH /api/subscriptions/given/{id}', { params: { id }, body: { ...correction } })
export const sendAgain = (id: string): Promise<GivenMembership> =>
  call('POST /api/subscriptions/given/{id}/send-again', { params: { id } })
export const takeBack = (id: string): Promise<GivenMembership> =>
  call('POST /api/subscriptions/given/{id}/take-back', { params: { id } })

/** Whom it is for, in a sentence. */
export const recipientOf = ({
  giftRecipientFirstName,
  giftEmail,
}: Pick<GivenMembership, 'giftRecipientFirstName' | 'giftEmail'>): string =>
  giftRecipientFirstName ?? giftEmail

/** It went out, and may go out once more. */
export const canSendAgain = ({ changeable, state }: GivenMembership): boolean =>
  changeable && state !== 'scheduled'

/** Words for its outcome (MEMB-31). */
export function becameWords(gift: GivenMembership): string {
  const { state, giftUser, claimedAt, claimableUntil } = gift
  if (state === 'claimed')
    return `Claimed${giftUser ? ` by ${giftUser.fullName}` : ''}${claimedAt ? ` on ${longDate(claimedAt)}` : ''}.`
  if (state === 'refunded') return 'Refunded. It can’t be opened any more.'
  if (state === 'lapsed') return `Lapsed on ${longDate(claimableUntil)}: nobody claimed it for 24 months.`
  return `Not claimed. ${UNCLAIMED[state](gift)}`
}

const UNCLAIMED: Record<'scheduled' | 'sending' | 'delivered' | 'failed', (gift: GivenMembership) => string> =
  {
    scheduled: ({ giftDeliveryDate, giftTimeZone }) =>
      giftDeliveryDate
        ? `It arrives on ${weekdayAndDay(giftDeliveryDate)}, 8:00 in the morning, ${zoneInWords(giftTimeZone)}.`
        : 'It’s about to go out.',
    sending: ({ giftEmail }) => `It’s on its way to ${giftEmail}.`,
    delivered: ({ giftEmail, deliverAt }) => `Delivered to ${giftEmail} on ${longDate(deliverAt)}.`,
    failed: ({ giftEmail }) => `It didn’t reach ${giftEmail}. Correct the address and we’ll send it again.`,
  }
