import type Stripe from 'stripe'
import type { Store } from '../store.ts'
import type { Scope } from './moment.ts'

/** What the sandbox keeps of a subscription for itself: what is to be looked after, and what was told. */
export interface Notes {
  readonly id: string
  readonly scope: Scope
  /** Invoices that are drafts or open: somebody will try to be paid. */
  readonly invoices: readonly string[]
  readonly toldTrialEnd: boolean
  /** The end of the period whose renewal was announced. */
  readonly toldUpcoming: number
  /** A change that waits for an invoice to be paid. */
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

/** How an unpaid invoice is tried again. */
export interface Dunning {
  /** The invoice's. */
  readonly id: string
  readonly failedAt: number
  /** Which of the account's retries comes next. */
  readonly next: number
  /** The method that its bank refuses for good; another one is tried. */
  readonly hopeless: string | null
}
