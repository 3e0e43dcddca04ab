import type { StoredMethod } from './customers.ts'
import type { CardRefusal } from './card-refusal.ts'

/** `open` waits for a card, an approval or another try; `pending` is with the bank; `done` and `cancelled` are final. */
export type SetUpState = 'open' | 'pending' | 'done' | 'cancelled'

/** A card or a PayPal account on its way to be kept for later. Nothing is charged. */
export interface SetUp {
  /** `seti_…` */
  readonly id: string
  /** For the browser of the one who pays, and for nobody else. */
  readonly clientSecret: string
  readonly state: SetUpState
  readonly customer: string | null
  /** The stored method; null while it is not done. */
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
