import type { PaymentMethod } from './payments.ts'

export interface Person {
  readonly email: string
  readonly name: string
}

/** Customers for recurring charges: one for each account that ever joined. */
export interface Customers {
  /** @returns `cus_…` */
  create(
    person: Partial<Person> & { readonly metadata: Readonly<Record<string, string>> },
    idempotencyKey: string,
  ): Promise<string>
  /** @throws {NotAtProvider} */
  update(id: string, change: Partial<Person>): Promise<void>
  /**
   * Attaches a payment method that a browser created.
   *
   * @returns `pm_…`
   * @throws {NotAtProvider | PaymentConflict} if it cannot be attached, or belongs to another customer
   */
  keep(id: string, method: string): Promise<string>
  /**
   * The customer of a payment method; null if it has none.
   *
   * @throws {NotAtProvider}
   */
  ownerOf(method: string): Promise<string | null>
  /**
   * Ends the customer's subscriptions at once and deletes the stored payment methods; invoices stay. Repeating it does
   * no harm.
   */
  erase(id: string): Promise<void>
}

/** A card or PayPal account that can be charged off-session. */
export interface StoredMethod {
  /** `pm_…` */
  readonly id: string
  readonly kind: PaymentMethod
  /** Identifies the card number or PayPal payer across customers. Store it only as a hash. */
  readonly fingerprint: string | null
  /** `visa`, `mastercard` …; null for PayPal. */
  readonly brand: string | null
  readonly last4: string | null
  /** The first moment after the card expires; null for PayPal. */
  readonly expiresAt: Date | null
}
