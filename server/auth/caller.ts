/** The caller, after the token was verified and its session was found to be active. */
export interface Caller {
  readonly userId: string
  readonly sessionId: string
  /** The account's country, or null if none was given. */
  readonly countryCode: string | null
  readonly outletId: string | null
}
