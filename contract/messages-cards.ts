/**
 * Why a card is refused: both `reason` and message of the API. The point of sale shows them with spaces instead of
 * underscores (ERR-19).
 */
export const CARD_REFUSALS = {
  notActivated: 'card_not_activated',
  alreadyActivated: 'card_already_activated',
  ofAnotherBookshop: 'card_of_another_bookshop',
  /** The calling bookshop is closed and may not sell cards. */
  bookshopClosed: 'bookshop_closed',
  alreadyRedeemed: 'already_redeemed',
  /** The caller redeemed it before; probably a response was lost. */
  redeemedByYou: 'redeemed_by_you',
  /** The title is already in the caller's library; the card is not spent. */
  alreadyOwned: 'already_owned',
  /** The ten minutes are over. */
  tooLate: 'too_late',
} as const
export type CardRefusal = (typeof CARD_REFUSALS)[keyof typeof CARD_REFUSALS]
