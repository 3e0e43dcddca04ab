import type { StoredMethod } from './customers.ts'

/**
 * The state of a subscription. `incomplete` waits for its first payment or, in a trial, for a method (`waitsFor`);
 * `expired` waited in vain. `past_due` is being tried again by the provider; `unpaid` and `paused` are not. `ended`
 * and `expired` are final.
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
  /** The key of its price, also where another price has taken the key since. */
  readonly price: string
  readonly amountMinor: number
  readonly months: number
  /** Months are counted from here. */
  readonly anchor: Date
  readonly periodStart: Date
  readonly periodEnd: Date
  readonly trialEndsAt: Date | null
  /** It was cancelled and runs until then. */
  readonly cancelsAt: Date | null
  readonly cancelledAt: Date | null
  readonly endedAt: Date | null
  readonly endReason: 'asked' | 'not_paid' | 'disputed' | null
  /** What is charged next. */
  readonly method: StoredMethod | null
  /** The step that a browser can finish: the payment of its latest invoice, or the keeping of a method. */
  readonly waitsFor: WaitsFor | null
  /** `in_…` */
  readonly latestInvoice: string | null
  /** What holds from the end of the period on. */
  readonly planned: { readonly price: string; readonly at: Date } | null
  /** `di_…`, those that hold now. */
  readonly discounts: readonly string[]
  /** An upgrade whose invoice was not paid yet; it is dropped then, or when that invoice is made void. */
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

/** A percentage or pence off each invoice, for the first one, for as many months, or for ever. */
export type Discount = ({ readonly percent: number } | { readonly amountMinor: number }) & {
  readonly lasts: number | 'once' | 'forever'
}

export interface NewSubscription {
  readonly customer: string
  /** A key (`prices.ts`). */
  readonly price: string
  /** Nothing is charged before; it ends by itself where no method was kept by then. */
  readonly trialDays?: number
  readonly discount?: Discount
  /** One that this customer kept before: it is charged at once, and no browser is needed. */
  readonly method?: string
  readonly metadata: Readonly<Record<string, string>>
}

/** The cost of a change, by the provider's own reckoning. */
export interface Quote {
  /** Below what the provider charges it is added to the next payment: then `dueMinor` is 0 and this is not. */
  readonly totalMinor: number
  readonly dueMinor: number
  /** When. To be handed back with the change, so that what was shown is what is charged. */
  readonly at: Date
}

/**
 * Memberships as the provider bills them. It renews, charges, repeats and gives up by itself; events say that something
 * happened, `retrieve` says what is so. `idempotencyKey` as in `Payments`.
 */
export interface Subscriptions {
  create(params: NewSubscription, idempotencyKey: string): Promise<Subscription>
  /** @throws {NotAtProvider} */
  retrieve(id: string): Promise<Subscription>
  /** Of one customer or of all, those that are over too. Newest first. */
  list(of: { readonly customer?: string }): AsyncIterable<Subscription>

  /** More of the same rhythm, at once. */
  quoteUpgrade(id: string, price: string, now: Date): Promise<Quote>
  /**
   * Charged at once. If the bank says no, the old price stays, and `unpaidChange` names the invoice that waits:
   * `waitsFor` has its secret where the browser can finish it.
   */
  upgrade(
    id: string,
    params: { readonly price: string; readonly at: Date },
    idempotencyKey: string,
  ): Promise<Subscription>

  /** Less, or another rhythm, from the end of the period or trial. */
  quoteAtPeriodEnd(id: string, price: string): Promise<Quote>
  /** Takes the place of what was planned before. */
  changeAtPeriodEnd(id: string, price: string): Promise<Subscription>
  /** Whatever was planned is not done. */
  cancelPlannedChange(id: string): Promise<Subscription>
  /** The next renewal, with what is planned. */
  quoteRenewal(id: string): Promise<Quote>

  /** At the end of the period; what was planned is dropped. */
  cancel(id: string): Promise<Subscription>
  /** Before that end: it goes on as if nothing had been said. @throws {PaymentConflict} when it is over. */
  resume(id: string): Promise<Subscription>
  /**
   * At once and for good, without a last invoice; open ones are no longer tried. A subscription that is over stays
   * over.
   */
  end(id: string): Promise<Subscription>

  /** From now on with this method, here and for all that this customer buys. Pays no open invoice. */
  payWith(id: string, method: string): Promise<Subscription>
}
