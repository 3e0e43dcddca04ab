import type { CardActivation, RedemptionCode } from '#contract/cards.ts'
import type { AudioBookCard } from '#contract/catalogue.ts'
import type { BusinessTime } from '../../clock.ts'
import { pounds } from '../prices/pricing.ts'
import type { ActivationOfCard } from './queries.ts'
import type { SoldCard } from './redemption.ts'
import { endingOf, takeBackUntil } from './point-of-sale.ts'

export const redemptionView = ({ card, outletName }: SoldCard, audioBook: AudioBookCard): RedemptionCode => ({
  redeemed: card.redeemedAt !== null,
  outlet: { name: outletName },
  audioBook,
})

export const activationView = (
  sold: ActivationOfCard,
  audioBook: AudioBookCard,
  now: BusinessTime,
): CardActivation => ({
  '@id': `/api/audiobook-cards/activations/${sold.activation.id}`,
  '@type': 'CardActivation',
  id: sold.activation.id,
  activated: sold.activation.takenBackAt === null,
  activatedAt: sold.activation.activatedAt.toISOString(),
  ending: endingOf(sold.card),
  price: pounds(sold.priceMinor),
  audioBook,
  takeBackUntil: takeBackUntil(sold, now)?.toISOString() ?? null,
  takenBackAt: sold.activation.takenBackAt?.toISOString() ?? null,
})
