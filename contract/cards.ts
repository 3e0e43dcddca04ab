import Type, { type Static } from 'typebox'
import { Email, embedded, Instant, nullable, Pounds, Uuid } from './atoms.ts'
import { AudioBookCard } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'

/**
 * What is printed on a card, in any case, with or without hyphens and spaces. The hidden code redeems, the public number
 * activates; each is unknown where the other belongs. The demo's readable codes do both.
 */
const Token = Type.String({ minLength: 1, maxLength: 64 })
const ByCode = Type.Object({ code: Token })
const SpiSin = Type.String({ minLength: 1, maxLength: 13 })

/** What a card holds, and whether somebody has it already (ENT-22). */
export const RedemptionCode = Type.Object({
  redeemed: Type.Boolean(),
  /** The bookshop that sold it. */
  outlet: Type.Object({ name: Type.String() }),
  audioBook: AudioBookCard,
})
export type RedemptionCode = Static<typeof RedemptionCode>

/**
 * What a code holds; changes nothing. 404 for a code that nobody knows, a voided card, and another title's where `spiSIN` is
 * given; 422 `card_not_activated`. 429 after too many that opened nothing, from one address or by one account.
 */
export const seeRedemptionCode = endpoint({
  method: 'GET',
  path: '/api/redemption_codes/{code}',
  summary: 'What a code holds, for the page of one title',
  access: 'anyone',
  params: ByCode,
  query: Type.Object({ spiSIN: Type.Optional(SpiSin) }),
  reply: RedemptionCode,
})
export const seeCard = endpoint({
  method: 'GET',
  path: '/api/audiobook-cards/{code}/card-apply-code',
  summary: 'What a code holds',
  access: 'anyone',
  params: ByCode,
  reply: RedemptionCode,
})

/**
 * Puts the title into the caller's library, once. Refused with 422 and one of `CARD_REFUSALS` as its message:
 * `card_not_activated`, `already_redeemed`, `redeemed_by_you` (an answer that was lost: the title is in the library by this
 * card), `already_owned` (by another way: the card is not spent). 404 and 429 as above.
 */
export const redeemCode = endpoint({
  method: 'POST',
  path: '/api/redemption_codes/add_to_library_with_code/{code}',
  summary: 'Redeem a code for one title',
  access: 'user',
  params: ByCode,
  body: Type.Object({ audioBook: Type.Object({ spiSIN: SpiSin }, { additionalProperties: false }) }),
  reply: RedemptionCode,
})
export const redeemCard = endpoint({
  method: 'POST',
  path: '/api/audiobook-cards/redeem',
  summary: 'Redeem a card',
  access: 'user',
  body: Type.Object({ token: Token }),
  reply: RedemptionCode,
})

/** A card that was sold at a bookshop's till. It names no reader. */
export const CardActivation = embedded('CardActivation', {
  id: Uuid,
  /** False once it was taken back. */
  activated: Type.Boolean(),
  activatedAt: Instant,
  /** The last four figures of the card's number. */
  ending: Type.String(),
  /** Of the card, over the counter. */
  price: Pounds,
  audioBook: AudioBookCard,
  /** Until then it can be taken back; null where it cannot, because somebody redeemed it or it was too long ago. */
  takeBackUntil: nullable(Instant),
  takenBackAt: nullable(Instant),
})
export type CardActivation = Static<typeof CardActivation>

/**
 * Sells a card at the till. 404 for a number nobody knows and a voided card; 422 `card_already_activated`,
 * `card_of_another_bookshop` or `bookshop_closed`; 422 for `buyerEmail`, where the setting `requiredPurchaserEmail` asks for
 * one. 429 after too many unknown numbers.
 */
export const activateCard = endpoint({
  method: 'POST',
  path: '/api/audiobook-cards/activate',
  summary: 'Activate a card',
  access: 'outlet',
  part: 'cards',
  body: Type.Object({ buyerEmail: Type.Optional(nullable(Email)), token: Token }),
  reply: CardActivation,
})
/** When this bookshop sold a card; 404 where it did not. For a card that turns out to be activated already. */
export const findActivation = endpoint({
  method: 'POST',
  path: '/api/audiobook-cards/find-activation',
  summary: 'When the caller’s bookshop activated a card',
  access: 'outlet',
  body: Type.Object({ token: Token }),
  reply: CardActivation,
})
/** Of today in the shop's zone, newest first, those taken back among them. */
export const listActivations = endpoint({
  method: 'GET',
  path: '/api/audiobook-cards/activations',
  summary: 'Cards that the caller’s bookshop sold today',
  access: 'outlet',
  reply: collection(CardActivation),
})
/** Within ten minutes, while nobody redeemed it; safe to repeat. 422 `too_late` or `already_redeemed`, 404 for another's. */
export const takeBackActivation = endpoint({
  method: 'POST',
  path: '/api/audiobook-cards/activations/{id}/take-back',
  summary: 'Take an activation back',
  access: 'outlet',
  params: Type.Object({ id: Uuid }),
  reply: CardActivation,
})
