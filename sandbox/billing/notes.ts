import type Stripe from 'stripe'
import type { Store } from '../store.ts'
import type { Scope } from './moment.ts'

/** Internal state of a subscription: its open work, and which events were sent. */
export interface Notes {
  readonly id: string
  readonly scope: Scope
  /** Draft and open invoices, which may be charged automatically. */
  readonly invoices: readonly string[]
  readonly toldTrialEnd: boolean
  /** End of the period whose renewal was announced, in Unix seconds. */
  readonly toldUpcoming: number
  /** A change that takes effect when the invoice is paid. */
  readonly waiting: { readonly invoice: string; readonly price: Stripe.Price } | null
}

export const notesOf = (store: Store, subscription: string): Notes =>
  store.get<Notes>('notes', subscription) ?? {
    id: subscription,
    scope: null,
    invoices: [],
    toldTrialEnd: false,
    toldUpcoming: 0,
    waiting: null,
  }

export function note(store: Store, subscription: string, change: Partial<Notes>): void {
  store.put<Notes>('notes', { ...notesOf(store, subscription), ...change })
}

export interface Dunning {
  readonly id: string
  readonly failedAt: number
  /** Index into the account's `retries`. */
  readonly next: number
  /** Id of a payment method that its bank refuses permanently; a retry needs another method. */
  readonly hopeless: string | null
}
