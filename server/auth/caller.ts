export interface Caller {
  readonly userId: string
  readonly sessionId: string
  readonly countryCode: string | null
  readonly outletId: string | null
}
