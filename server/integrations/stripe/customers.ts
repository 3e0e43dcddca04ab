import type { PaymentMethod } from './payments.ts'

export interface Person {
  readonly email: string
  readonly name: string
}

/** Whom the provider charges again: one for each account that ever joined. */
export interface Customers {
  /** @returns `cus_…` */
  create(
    person: Partial<Person> & { readonly metadata: Readonly<Record<string, string>> },
    idempotencyKey: string,
  ): Promise<string>
  /** @throws {NotAtProvider} */
  update(id: string, change: Partial<Person>): Promise<void>
  /**
   * A method that a browser made is theirs from now on. @returns `pm_…`
   * @throws {NotAtProvider | PaymentConflict} where it cannot be kept, or is somebody else's.
   */
  keep(id: string, method: string): Promise<string>
  /** Whose method it is; null where it is nobody's. @throws {NotAtProvider} */
  ownerOf(method: string): Promise<string | null>
  /**
   * Ends their subscriptions at once and forgets how they paid; invoices stay. A customer who is gone already stays
   * gone.
   */
  erase(id: string): Promise<void>
}

/** A card or a PayPal account that may be charged while nobody is there. */
export interface StoredMethod {
  /** `pm_…` */
  readonly id: string
  readonly kind: PaymentMethod
  /** The same for the same card number or PayPal payer, whoever uses it. To be kept as a hash only. */
  readonly fingerprint: string | null
  /** `visa`, `mastercard` …; null for PayPal. */
  readonly brand: string | null
  readonly last4: string | null
  /** The first moment at which the card is too old; null for PayPal. */
  readonly expiresAt: Date | null
}
