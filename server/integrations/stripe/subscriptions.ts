import type { StoredMethod } from './customers.ts'

/**
 * The state of a subscription. `incomplete` waits for its first payment or, in a trial, for a payment method
 * (`waitsFor`); `expired` waited too long. `past_due` is retried by the provider; `unpaid` and `paused` are not.
 * `ended` and `expired` are final.
 */
export type SubscriptionState =
  | 'incomplete'
  | 'expired'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'ended'

export interface Subscription {
  /** `sub_…` */
  readonly id: string
  readonly customer: string
  readonly state: SubscriptionState
  /** The key that its price was created with, even if a newer price has the key now. */
  readonly price: string
  readonly amountMinor: number
  readonly months: number
  /** Start of the monthly periods. */
  readonly anchor: Date
  readonly periodStart: Date
  readonly periodEnd: Date
  readonly trialEndsAt: Date | null
  readonly cancelsAt: Date | null
  readonly cancelledAt: Date | null
  readonly endedAt: Date | null
  readonly endReason: 'asked' | 'not_paid' | 'disputed' | null
  readonly method: StoredMethod | null
  /** What the browser must complete: the payment of its latest invoice, or storing a payment method. */
  readonly waitsFor: WaitsFor | null
  /** `in_…` */
  readonly latestInvoice: string | null
  /** The plan from the end of the period on. */
  readonly planned: { readonly price: string; readonly at: Date } | null
  /** `di_…` of the current discounts. */
  readonly discounts: readonly string[]
  /** An upgrade whose invoice is not paid. It is dropped at `until`, or when that invoice is voided. */
  readonly unpaidChange: { readonly price: string; readonly invoice: string; readonly until: Date } | null
  readonly metadata: Readonly<Record<string, string>>
  readonly createdAt: Date
}

export interface WaitsFor {
  readonly kind: 'payment' | 'setUp'
  /** `pi_…` or `seti_…` */
  readonly id: string
  readonly clientSecret: string
}

/** A percentage or pence off each invoice: of the first one, of a number of months, or for ever. */
export type Discount = ({ readonly percent: number } | { readonly amountMinor: number }) & {
  readonly lasts: number | 'once' | 'forever'
}

export interface NewSubscription {
  readonly customer: string
  /** A lookup key (`prices.ts`). */
  readonly price: string
  /** Nothing is charged before the trial ends. Without a payment method by then, the subscription ends. */
  readonly trialDays?: number
  readonly discount?: Discount
  /** A stored payment method of this customer: charged at once, without a browser. */
  readonly method?: string
  readonly metadata: Readonly<Record<string, string>>
}

export interface Quote {
  /** If it is below the minimum charge, it is added to the next payment: `dueMinor` is then 0 and this is not. */
  readonly totalMinor: number
  readonly dueMinor: number
  /** The time of the calculation. Pass it to the change, so that the quoted amount is charged. */
  readonly at: Date
}

/**
 * Memberships as the provider bills them. It renews, charges, retries and gives up on its own. Events announce changes;
 * `retrieve` returns the current state. `idempotencyKey` works as in `Payments`.
 */
export interface Subscriptions {
  create(params: NewSubscription, idempotencyKey: string): Promise<Subscription>
  /** @throws {NotAtProvider} */
  retrieve(id: string): Promise<Subscription>
  /** Of one customer or all, including ended ones. Newest first. */
  list(of: { readonly customer?: string }): AsyncIterable<Subscription>

  /** For a more expensive plan with the same billing interval, at once. */
  quoteUpgrade(id: string, price: string, now: Date): Promise<Quote>
  /**
   * Charged at once. If the bank refuses, the old price stays, and `unpaidChange` names the open invoice; `waitsFor`
   * has its secret if the browser can complete it.
   */
  upgrade(
    id: string,
    params: { readonly price: string; readonly at: Date },
    idempotencyKey: string,
  ): Promise<Subscription>

  /** For a cheaper plan or another billing interval, from the end of the period or trial. */
  quoteAtPeriodEnd(id: string, price: string): Promise<Quote>
  changeAtPeriodEnd(id: string, price: string): Promise<Subscription>
  cancelPlannedChange(id: string): Promise<Subscription>
  /** Includes a planned change. */
  quoteRenewal(id: string): Promise<Quote>

  /** Cancels at the end of the period and drops a planned change. */
  cancel(id: string): Promise<Subscription>
  /**
   * Undoes a cancellation before that end.
   *
   * @throws {PaymentConflict} if it has ended
   */
  resume(id: string): Promise<Subscription>
  /** Ends it at once, without a last invoice; open invoices are not retried. Ending it again does no harm. */
  end(id: string): Promise<Subscription>

  /** Sets the payment method of the subscription, and the customer's default. Pays no open invoice. */
  payWith(id: string, method: string): Promise<Subscription>
}
