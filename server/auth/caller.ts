/** The caller, after the token was checked and its session found alive. */
export interface Caller {
  readonly userId: string
  readonly sessionId: string
  /** The account's country, or null where none was given. */
  readonly countryCode: string | null
  readonly outletId: string | null
}
