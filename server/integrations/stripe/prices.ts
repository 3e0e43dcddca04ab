/**
 * The price of a membership at the provider, found by a key of ours. An amount never changes: a new price takes the
 * key.
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
  /** What a receipt of the provider calls it. */
  readonly name: string
  readonly amountMinor: number
  readonly months: number
}

export type SetUpOutcome = 'right' | 'made' | 'replaced'

export interface Prices {
  /** Those that there are; a key without a price is missing. */
  find(keys: readonly string[]): Promise<ReadonlyMap<string, Price>>
  /**
   * Makes what is missing, and a new price where the amount is another; who joined at the old one keeps it. Twice does
   * no harm.
   */
  setUp(prices: readonly WantedPrice[]): Promise<ReadonlyMap<string, SetUpOutcome>>
}
