import type { BookCard } from '#contract/catalogue.ts'
import type { Gift } from '#contract/gifts.ts'
import type { GiftRow } from './rows.ts'

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
