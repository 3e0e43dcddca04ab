/** Why a card is refused, as the wire says it; the desk shows them with spaces for underscores (ERR-19). */
export const CARD_REFUSALS = {
  notActivated: 'card_not_activated',
  alreadyActivated: 'card_already_activated',
  ofAnotherBookshop: 'card_of_another_bookshop',
  /** The bookshop’s own: it was closed, and sells no more. */
  bookshopClosed: 'bookshop_closed',
  alreadyRedeemed: 'already_redeemed',
  /** The caller's own: an answer was lost on its way. */
  redeemedByYou: 'redeemed_by_you',
  /** The title is in the caller's library by another way; the card is not spent. */
  alreadyOwned: 'already_owned',
  /** The ten minutes are over. */
  tooLate: 'too_late',
} as const
