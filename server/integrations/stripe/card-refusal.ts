/** Why a try to pay failed. */
export interface CardRefusal {
  /** Of this try to pay: no other try of the same payment has it. */
  readonly tryId: string
  /** `card_declined`, `expired_card`, `payment_intent_authentication_failure` … */
  readonly code: string
  /** `insufficient_funds`, `generic_decline` …; null where the bank said nothing. */
  readonly declineCode: string | null
  readonly message: string
}
