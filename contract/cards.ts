import Type, { type Static } from 'typebox'
import { Email, embedded, Instant, nullable, Pounds, Uuid } from './atoms.ts'
import { AudioBookCard } from './catalogue.ts'
import { endpoint } from './endpoint.ts'
import { collection } from './hydra.ts'

/**
 * The text printed on a card, in any case, with or without hyphens and spaces. The hidden code redeems, the public
 * number activates; neither works in place of the other. The demo's readable codes do both.
 */
const Token = Type.String({ minLength: 1, maxLength: 64 })
const ByCode = Type.Object({ code: Token })
const SpiSin = Type.String({ minLength: 1, maxLength: 13 })

/** The title of a card, and whether it has been redeemed (ENT-22). */
export const RedemptionCode = Type.Object({
  redeemed: Type.Boolean(),
  outlet: Type.Object({ name: Type.String() }),
  audioBook: AudioBookCard,
})
export type RedemptionCode = Static<typeof RedemptionCode>

/**
 * The title of a code; changes nothing. 404 for an unknown code, a voided card, and a card for another title than
 * `spiSIN`; 422 `card_not_activated`. 429 after too many invalid codes from one IP address or account.
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
 * Adds the title to the caller's library, once. Refused with 422 and one of `CARD_REFUSALS` as its message:
 * `card_not_activated`, `already_redeemed`, `redeemed_by_you` (a response was lost: the title is in the library by this
 * card), `already_owned` (the title came another way: the card is not spent). 404 and 429 as above.
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

/** The sale of a card at a bookshop's point of sale. It does not identify the reader. */
export const CardActivation = embedded('CardActivation', {
  id: Uuid,
  /** False if the sale was reversed. */
  activated: Type.Boolean(),
  activatedAt: Instant,
  ending: Type.String(),
  /** The card's retail price. */
  price: Pounds,
  audioBook: AudioBookCard,
  /** The end of the time in which the sale can be reversed; null if the card was redeemed or the time is over. */
  takeBackUntil: nullable(Instant),
  takenBackAt: nullable(Instant),
})
export type CardActivation = Static<typeof CardActivation>

/**
 * Sells a card at the point of sale. 404 for an unknown number and a voided card; 422 `card_already_activated`,
 * `card_of_another_bookshop` or `bookshop_closed`; 422 at `buyerEmail` if the setting `requiredPurchaserEmail` requires
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
/** Finds this bookshop's sale of a card that is already activated. 404 if another bookshop sold it. */
export const findActivation = endpoint({
  method: 'POST',
  path: '/api/audiobook-cards/find-activation',
  summary: 'When the caller’s bookshop activated a card',
  access: 'outlet',
  body: Type.Object({ token: Token }),
  reply: CardActivation,
})
/** Today's sales in the shop's time zone, newest first, including reversed ones. */
export const listActivations = endpoint({
  method: 'GET',
  path: '/api/audiobook-cards/activations',
  summary: 'Cards that the caller’s bookshop sold today',
  access: 'outlet',
  reply: collection(CardActivation),
})
/**
 * Reverses a sale within ten minutes, if the card is not redeemed; safe to repeat. 422 `too_late` or
 * `already_redeemed`, 404 for another bookshop's.
 */
export const takeBackActivation = endpoint({
  method: 'POST',
  path: '/api/audiobook-cards/activations/{id}/take-back',
  summary: 'Take an activation back',
  access: 'outlet',
  params: Type.Object({ id: Uuid }),
  reply: CardActivation,
})
