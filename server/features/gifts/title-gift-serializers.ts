import type { BookCard } from '#contract/catalogue.ts'
import type { Gift } from '#contract/gifts.ts'
import type { GivenTitle } from '#contract/given-gifts.ts'
import type { GivenTitleShown } from './given-titles.ts'
import type { GiftRow } from './title-gift-queries.ts'

export const giftView = (gift: GiftRow, card: BookCard): Gift => ({
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
})

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
    givenAt: gift.givenAt.toISOString(),
    sentAt: (gift.sentAt ?? gift.givenAt).toISOString(),
    claimedAt: gift.claimedAt?.toISOString() ?? null,
    giftUser:
      gift.claimedAt === null
        ? null
        : {
            email: claimer?.email ?? gift.email,
            fullName: claimer ? `${claimer.firstName} ${claimer.lastName}`.trim() : '',
          },
    order: given.orderId,
    amount,
    changeable: given.isChangeable,
    takeBack: takeBackUntil && { until: takeBackUntil.toISOString(), amount },
  }
}
