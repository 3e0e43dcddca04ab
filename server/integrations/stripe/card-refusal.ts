export interface CardRefusal {
  /** Identifies the attempt: no other attempt of the same payment has it. */
  readonly tryId: string
  /** `card_declined`, `expired_card`, `payment_intent_authentication_failure` … */
  readonly code: string
  /** `insufficient_funds`, `generic_decline` …; null if the bank gave no reason. */
  readonly declineCode: string | null
  readonly message: string
}
