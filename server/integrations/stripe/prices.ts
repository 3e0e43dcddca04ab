/**
 * The price of a membership at the provider, found by our lookup key. A price's amount never changes: a new price takes
 * over the key.
 */
export interface Price {
  /** `price_…` */
  readonly id: string
  readonly key: string
  readonly amountMinor: number
  readonly months: number
}

export interface WantedPrice {
  readonly key: string
  readonly name: string
  readonly amountMinor: number
  readonly months: number
}

export type SetUpOutcome = 'right' | 'made' | 'replaced'

export interface Prices {
  /** Only existing ones; missing keys are left out. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, Price>>
  /**
   * Creates missing prices, and a new price if the amount differs. Members who joined at the old price keep it.
   * Repeating it does no harm.
   */
  setUp(prices: readonly WantedPrice[]): Promise<ReadonlyMap<string, SetUpOutcome>>
}
