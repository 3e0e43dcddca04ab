import type { Payment } from './payments.ts'

export type InvoiceState = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'

export interface Invoice {
  /** `in_…` */
  readonly id: string
  /** The provider's invoice number; null for a draft. */
  readonly number: string | null
  readonly customer: string
  readonly subscription: string | null
  readonly state: InvoiceState
  readonly reason: 'joined' | 'renewed' | 'changed' | 'other'
  readonly lines: readonly InvoiceLine[]
  /** Sum of the lines, including VAT. Negative if a plan change gives back more than it costs. */
  readonly totalMinor: number
  /** Balance carried over from earlier invoices; negative if the customer had credit. */
  readonly carriedMinor: number
  /** What is charged: total plus carried balance, or 0 if that is carried over to the next invoice. */
  readonly dueMinor: number
  readonly paidMinor: number
  readonly creditedMinor: number
  readonly attempts: number
  readonly nextAttemptAt: Date | null
  /** `pi_…` of its payment; `Payments` has the method and refunds. Null if nothing was due. */
  readonly payment: string | null
  /** Lets the browser pay it or authenticate; only while it is open. */
  readonly clientSecret: string | null
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly voidedAt: Date | null
}

export interface InvoiceLine {
  readonly description: string
  /** The key of its price. */
  readonly price: string | null
  /** Before its discount; negative for unused time that is given back. */
  readonly amountMinor: number
  readonly discountMinor: number
  readonly isChange: boolean
  readonly from: Date
  readonly until: Date
}

export interface CreditNote {
  /** `cn_…` */
  readonly id: string
  readonly number: string
  readonly invoice: string
  readonly amountMinor: number
  readonly createdAt: Date
}

/** The provider's invoices to members, and their payments. `idempotencyKey` works as in `Payments`. */
export interface Invoices {
  /** @throws {NotAtProvider} */
  retrieve(id: string): Promise<Invoice>
  /** Newest first; pages are fetched while they are read. */
  list(of: InvoicesOf): AsyncIterable<Invoice>
  /** The invoice that a payment belongs to; null for a checkout payment. */
  paidBy(payment: string): Promise<PaidBy | null>
  /**
   * Tries to charge it now, with the subscription's payment method. `state` tells the bank's answer: an open invoice
   * was refused, or needs authentication (`clientSecret`). A paid invoice stays paid.
   */
  pay(id: string, idempotencyKey: string): Promise<Invoice>
  /** Makes it uncollectable. A paid invoice stays paid: check `state`. */
  makeVoid(id: string): Promise<Invoice>
  /**
   * Refunds a part, or all that is left, with a credit note.
   *
   * @throws {PaymentConflict} if nothing is left
   */
  credit(id: string, part: { readonly amountMinor?: number }, idempotencyKey: string): Promise<CreditNote>
  /** Its credit notes, oldest first. First creates notes for refunds that someone made by hand at the provider. */
  creditNotes(id: string): Promise<readonly CreditNote[]>
}

/** In one result, because a payment's webhook event needs all of it. */
export interface PaidBy {
  /** `in_…` */
  readonly invoice: string
  /** `sub_…` */
  readonly subscription: string | null
  readonly payment: Payment
  readonly creditedMinor: number
}

export interface InvoicesOf {
  readonly customer?: string
  readonly subscription?: string
  readonly since?: Date
}
