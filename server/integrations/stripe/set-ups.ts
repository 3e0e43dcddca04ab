import type { StoredMethod } from './customers.ts'
import type { CardRefusal } from './card-refusal.ts'

/**
 * `open` waits for a card, an authentication or another attempt; `pending` is with the bank; `done` and `cancelled` are
 * final.
 */
export type SetUpState = 'open' | 'pending' | 'done' | 'cancelled'

/** Stores a card or PayPal account for later charges. Nothing is charged now. */
export interface SetUp {
  /** `seti_…` */
  readonly id: string
  /** Only for the browser of the payer. */
  readonly clientSecret: string
  readonly state: SetUpState
  readonly customer: string | null
  /** Null until it is done. */
  readonly method: StoredMethod | null
  readonly refusal: CardRefusal | null
  readonly metadata: Readonly<Record<string, string>>
}

export interface SetUps {
  create(
    params: { readonly customer: string; readonly metadata: Readonly<Record<string, string>> },
    idempotencyKey: string,
  ): Promise<SetUp>
  /** @throws {NotAtProvider} */
  retrieve(id: string): Promise<SetUp>
}
