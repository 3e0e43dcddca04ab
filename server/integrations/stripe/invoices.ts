import type { Payment } from './payments.ts'

export type InvoiceState = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'

export interface Invoice {
  /** `in_…` */
  readonly id: string
  /** The provider's; null while it is a draft. */
  readonly number: string | null
  readonly customer: string
  readonly subscription: string | null
  readonly state: InvoiceState
  readonly reason: 'joined' | 'renewed' | 'changed' | 'other'
  readonly lines: readonly InvoiceLine[]
  /** The sum of its lines, with VAT in it. Below zero where a change gives back more than it costs. */
  readonly totalMinor: number
  /** The sum carried over from before: below zero the customer had something left. */
  readonly carriedMinor: number
  /** The charge for it: total and what was carried over, or 0 where that waits for the next. */
  readonly dueMinor: number
  readonly paidMinor: number
  /** By credit notes. */
  readonly creditedMinor: number
  /** Failed charges so far. */
  readonly attempts: number
  readonly nextAttemptAt: Date | null
  /** `pi_…`, by which it is or was paid: ask `Payments` how, and what went back. Null where nothing was due. */
  readonly payment: string | null
  /** With which the browser can pay it, or go to the bank for it; only while it is open. */
  readonly clientSecret: string | null
  readonly createdAt: Date
  readonly paidAt: Date | null
  readonly voidedAt: Date | null
}

export interface InvoiceLine {
  readonly description: string
  /** The key of its price. */
  readonly price: string | null
  /** Without its discount; below zero for time that is given back. */
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

/** The provider's invoices to members, and their payments. `idempotencyKey` as in `Payments`. */
export interface Invoices {
  /** @throws {NotAtProvider} */
  retrieve(id: string): Promise<Invoice>
  /** Newest first; pages are fetched as they are read. */
  list(of: InvoicesOf): AsyncIterable<Invoice>
  /** The invoice that a payment pays; null for a payment of the checkout. */
  paidBy(payment: string): Promise<PaidBy | null>
  /**
   * Tries now, with the method that its subscription has. Look at `state` for the bank's answer: an open invoice was
   * refused, or waits for its customer at the bank (`clientSecret`). One that is paid already stays so.
   */
  pay(id: string, idempotencyKey: string): Promise<Invoice>
  /** Nobody has to pay it any more. A paid invoice stays paid: look at `state`. */
  makeVoid(id: string): Promise<Invoice>
  /** Pays back a part or all that is left, with a credit note. @throws {PaymentConflict} when nothing is left. */
  credit(id: string, part: { readonly amountMinor?: number }, idempotencyKey: string): Promise<CreditNote>
  /** Its notes, oldest first. A refund that somebody made by hand at the provider gets one first. */
  creditNotes(id: string): Promise<readonly CreditNote[]>
}

/** In one answer, since a notice of a payment wants to know all of it. */
export interface PaidBy {
  /** `in_…` */
  readonly invoice: string
  /** `sub_…` */
  readonly subscription: string | null
  readonly payment: Payment
  /** By credit notes of the invoice. */
  readonly creditedMinor: number
}

export interface InvoicesOf {
  readonly customer?: string
  readonly subscription?: string
  readonly since?: Date
}
