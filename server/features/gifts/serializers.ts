import type { BookCard } from '#contract/catalogue.ts'
import type { Gift } from '#contract/gifts.ts'
import type { GivenTitle } from '#contract/given-gifts.ts'
import type { GivenTitleShown, GivenShown } from './given-gifts.ts'
import type { TitleGiftRow } from './queries.ts'
import type { GivenMembership, MembershipGift, ThanksState } from '#contract/membership-gifts.ts'
import type { SubscriptionMember } from '#contract/membership.ts'
import type { ClaimedMembership } from './claim-membership-gift.ts'
import { claimableUntil } from './membership-gifts.ts'
import { isScheduled } from './title-gifts.ts'

export const giftView = (gift: TitleGiftRow, card: BookCard, userId: string | null): Gift => ({
  '@id': `/api/gifts/${gift.id}`,
  '@type': 'Gift',
  id: gift.id,
  audioBook: card.entityType === 'audioBook' ? card : null,
  eBook: card.entityType === 'eBook' ? card : null,
  giftEmail: gift.email,
  giftMessage: gift.message,
  giverName: gift.giverName,
  givenAt: gift.givenAt.toISOString(),
  claimedAt: gift.claimedAt?.toISOString() ?? null,
  thanks: thanksState(gift, gift.giverId !== null, userId),
})

/** @param isReachable the giver's account, or the address that a visitor gave from */
const thanksState = (
  { claimedBy, thankedAt }: Pick<TitleGiftRow, 'claimedBy' | 'thankedAt'>,
  isReachable: boolean,
  userId: string | null,
): ThanksState =>
  userId === null || claimedBy !== userId || !isReachable ? null : thankedAt === null ? 'possible' : 'sent'

export function givenTitleView(given: GivenTitleShown): GivenTitle {
  const { gift, claimer, takeBackUntil } = given
  const amount = (given.priceMinor ?? 0) / 100
  return {
    '@id': `/api/gifts/given/${gift.id}`,
    '@type': 'GivenTitle',
    id: gift.id,
    title: given.soldAs ?? given.title,
    format: given.format === 'audio_book' ? 'audiobook' : 'e-book',
    slug: given.slug,
    state: given.state,
    giftEmail: gift.email,
    giftMessage: gift.message,
    giftDeliveryDate: gift.day,
    giftTimeZone: gift.zone,
    givenAt: gift.givenAt.toISOString(),
    sentAt: isScheduled(gift) ? null : (gift.sentAt ?? gift.givenAt).toISOString(),
    claimedAt: gift.claimedAt?.toISOString() ?? null,
    giftUser:
      gift.claimedAt === null
        ? null
        : {
            email: claimer?.email ?? gift.email,
            fullName: claimer ? `${claimer.firstName} ${claimer.lastName}`.trim() : '',
          },
    thanks: gift.thanks,
    order: given.orderId,
    amount,
    changeable: given.isChangeable,
    takeBack: takeBackUntil && { until: takeBackUntil.toISOString(), amount },
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null

export function membershipGiftView(
  { gift, startsAt }: ClaimedMembership,
  userId: string | null,
): MembershipGift {
  const isClaimer = userId !== null && gift.claimedBy === userId
  return {
    '@id': `/api/subscriptions/gifts/${gift.id}`,
    '@type': 'MembershipGift',
    id: gift.id,
    plan: gift.plan,
    giverName: gift.giverName,
    giftRecipientFirstName: gift.firstName,
    giftEmail: gift.email,
    giftMessage: gift.message,
    givenAt: gift.givenAt.toISOString(),
    state: gift.claimedAt === null ? 'unclaimed' : gift.begunAt === null ? 'waiting' : 'begun',
    claimedAt: iso(gift.claimedAt),
    startsAt: isClaimer ? iso(startsAt) : null,
    claimableUntil: claimableUntil(gift).toISOString(),
    subscription: isClaimer ? gift.subscriptionId : null,
    thanks: thanksState(gift, gift.giverEmail !== null, userId),
  }
}

const giverSees = ({ gift, claimer }: GivenShown) =>
  gift.claimedAt === null
    ? null
    : {
        // If the claimer's account is closed, the address stays: the giver entered it.
        email: claimer?.email ?? gift.email,
        fullName: claimer ? `${claimer.firstName} ${claimer.lastName}`.trim() : '',
      }

export function givenMembershipView(given: GivenShown): GivenMembership {
  const { gift, state, isChangeable, takeBackUntil } = given
  return {
    '@id': `/api/subscriptions/given/${gift.id}`,
    '@type': 'GivenMembership',
    id: gift.id,
    plan: gift.plan,
    state,
    christmas: gift.christmas,
    giftEmail: gift.email,
    giftRecipientFirstName: gift.firstName,
    giftMessage: gift.message,
    giftDeliveryDate: gift.day,
    giftTimeZone: gift.zone,
    deliverAt: gift.deliverAt.toISOString(),
    givenAt: gift.givenAt.toISOString(),
    sentAt: iso(gift.sentAt),
    claimedAt: iso(gift.claimedAt),
    giftUser: giverSees(given),
    thanks: gift.thanks,
    claimableUntil: claimableUntil(gift).toISOString(),
    order: gift.orderId,
    amount: gift.paidMinor / 100,
    changeable: isChangeable,
    takeBack: takeBackUntil && { until: takeBackUntil.toISOString(), amount: gift.paidMinor / 100 },
  }
}

/** In the giver's own list (ENT-09, MEMB-31). Without dates, since it never renews for the giver. */
export function givenSubscriptionView(given: GivenShown): SubscriptionMember {
  const { gift, state, status } = given
  const isOver = state === 'refunded' || state === 'lapsed' || status === 'canceled'
  return {
    '@id': `/api/subscriptions/given/${gift.id}`,
    '@type': 'Subscription',
    id: gift.id,
    plan: gift.plan,
    status: isOver ? 'canceled' : status === null ? 'incomplete' : 'active',
    gift: true,
    giftEmail: gift.email,
    giftUser: giverSees(given),
    claimedAt: iso(gift.claimedAt),
    validUntil: null,
    periodStart: iso(gift.begunAt),
    periodEnd: null,
    canceledAt: null,
    orderDate: gift.givenAt.toISOString(),
    discountDuration: null,
    discountDurationMonths: null,
    percentDiscount: null,
    payment: null,
    cardLast4: null,
    orderItem: gift.orderLineId,
  }
}
