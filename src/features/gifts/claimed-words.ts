import type { MembershipGift } from '#contract/membership-gifts.ts'
import type { Found } from './claim.ts'
import { giftTitle } from './occasions.ts'
import { longDate } from '#format/date.ts'

/** Words for a gift that was just claimed. */
export function claimedWords(found: Found): string {
  if (found.kind === 'subscriptions') return membershipWords(found.gift)
  return `${(found.gift.audioBook ?? found.gift.eBook)?.title ?? 'Your gift'} is in your library.`
}

/** It runs, or waits behind another. */
function membershipWords({ plan, state, startsAt }: MembershipGift): string {
  const what = giftTitle(plan).join(' ')
  return state === 'waiting' ? `${what} is kept for you. ${beginsWords(startsAt)}` : `${what} has begun.`
}

export const beginsWords = (startsAt: string | null): string =>
  startsAt
    ? `It begins by itself on ${longDate(startsAt)}, when your own has ended.`
    : 'It begins by itself when your own has ended.'
