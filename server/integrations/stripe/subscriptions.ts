import type Stripe from 'stripe'
import { errorCode } from '../../log/error-code.ts'
import { type Client, dateOf, expanded, idOf, maybeDate, PAGE, secondsOf } from './client.ts'
import { type StoredMethod, toStoredMethod } from './customers.ts'
import { type PriceKeys, priceWithKey, toPrice } from './prices.ts'

/**
 * `incomplete` waits for its first payment or, in a trial, for a payment method (`waitsFor`); `expired` waited too
 * long. The provider retries `past_due`, but not `unpaid` and `paused`.
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
  readonly id: string
  readonly customer: string
  readonly state: SubscriptionState
  /** The key that its price was created with, even if a newer price has the key now. */
  readonly price: string
  readonly amountMinor: number
  readonly months: number
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
  readonly latestInvoice: string | null
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
  /** Its lookup key. */
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

const WHOLE = [
  'latest_invoice.confirmation_secret',
  'pending_setup_intent',
  'default_payment_method',
  'schedule',
]

export function openSubscriptions({ ask, each }: Client, keys: PriceKeys) {
  const subscription = (found: Stripe.Subscription) => {
    for (const { price } of found.items.data) keys.add(price)
    return toSubscription(found)
  }
  const retrieve = async (stripe: Stripe, id: string) =>
    subscription(await stripe.subscriptions.retrieve(id, { expand: WHOLE }))

  return {
    create: (
      { customer, trialDays, discount, method, metadata, price: key }: NewSubscription,
      idempotencyKey: string,
    ): Promise<Subscription> =>
      ask('subscriptions.create', async (stripe) => {
        const price = await priceWithKey(stripe, key)
        const coupon = discount && (await createDiscount(stripe, discount))
        const params = {
          customer,
          metadata,
          items: [{ price: price.id }],
          payment_behavior: method ? 'allow_incomplete' : 'default_incomplete',
          payment_settings: {
            payment_method_types: ['card', 'paypal'],
            save_default_payment_method: 'on_subscription',
          },
          ...(method ? { default_payment_method: method, off_session: true } : {}),
          ...(coupon ? { discounts: [{ coupon }] } : {}),
          ...(trialDays
            ? {
                trial_period_days: trialDays,
                trial_settings: { end_behavior: { missing_payment_method: 'cancel' } },
              }
            : {}),
          expand: WHOLE,
        } satisfies Stripe.SubscriptionCreateParams
        return subscription(await stripe.subscriptions.create(params, { idempotencyKey }))
      }),

    retrieve: (id: string): Promise<Subscription> =>
      ask('subscriptions.retrieve', (stripe) => retrieve(stripe, id)),

    list: (of: { readonly customer?: string }): AsyncIterable<Subscription> =>
      each('subscriptions.list', async function* ({ subscriptions }) {
        const expand = WHOLE.map((path) => `data.${path}`)
        for await (const found of subscriptions.list({ ...of, status: 'all', limit: PAGE, expand }))
          yield subscription(found)
      }),

    /** For a more expensive plan with the same billing interval, at once. */
    quoteUpgrade: (id: string, price: string, now: Date): Promise<Quote> =>
      ask('subscriptions.quoteUpgrade', async (stripe) => {
        const params = await upgradeOf(stripe, id, { price, at: now })
        const preview = await stripe.invoices.createPreview({
          subscription: id,
          subscription_details: params,
        })
        return toQuote(preview, dateOf(params.proration_date))
      }),

    /** If the bank refuses, the old price stays, and `unpaidChange` names the open invoice. */
    upgrade: (
      id: string,
      params: { readonly price: string; readonly at: Date },
      idempotencyKey: string,
    ): Promise<Subscription> =>
      ask('subscriptions.upgrade', async (stripe) => {
        // A schedule would undo the upgrade at the end of the period.
        await releaseSchedule(stripe, id)
        const change = await upgradeOf(stripe, id, params)
        return subscription(
          await stripe.subscriptions.update(
            id,
            { ...change, payment_behavior: 'pending_if_incomplete', expand: WHOLE },
            { idempotencyKey },
          ),
        )
      }),

    /** For a cheaper plan or another billing interval, from the end of the period or trial. */
    quoteAtPeriodEnd: (id: string, key: string): Promise<Quote> =>
      ask('subscriptions.quoteAtPeriodEnd', async (stripe) => {
        const of = await stripe.subscriptions.retrieve(id, { expand: ['discounts'] })
        const end = itemOf(of).current_period_end
        const price = await priceWithKey(stripe, key)
        const preview = await stripe.invoices.createPreview({
          customer: idOf(of.customer) ?? '',
          subscription_details: { items: [{ price: price.id }] },
          discounts: discountsUntil(of, end).flatMap(({ source }) => {
            const coupon = idOf(source.coupon)
            return coupon === null ? [] : [{ coupon }]
          }),
        })
        return toQuote(preview, dateOf(end))
      }),

    changeAtPeriodEnd: (id: string, key: string): Promise<Subscription> =>
      ask('subscriptions.changeAtPeriodEnd', async (stripe) => {
        const price = await priceWithKey(stripe, key)
        const of = await stripe.subscriptions.retrieve(id, { expand: ['discounts'] })
        const schedule =
          idOf(of.schedule) ?? (await stripe.subscriptionSchedules.create({ from_subscription: id })).id
        await stripe.subscriptionSchedules.update(schedule, planOf(of, price, key))
        return retrieve(stripe, id)
      }),

    cancelPlannedChange: (id: string): Promise<Subscription> =>
      ask('subscriptions.cancelPlannedChange', async (stripe) => {
        await releaseSchedule(stripe, id)
        return retrieve(stripe, id)
      }),

    quoteRenewal: (id: string): Promise<Quote> =>
      ask('subscriptions.quoteRenewal', async (stripe) => {
        const preview = await stripe.invoices.createPreview({ subscription: id })
        return toQuote(preview, dateOf(preview.period_end))
      }),

    cancel: (id: string): Promise<Subscription> =>
      ask('subscriptions.cancel', async (stripe) => {
        // The provider refuses to end a subscription that has an active schedule.
        await releaseSchedule(stripe, id)
        const params = { cancel_at_period_end: true, expand: WHOLE }
        return subscription(await stripe.subscriptions.update(id, params))
      }),

    /** @throws {PaymentConflict} if it has ended */
    resume: (id: string): Promise<Subscription> =>
      ask('subscriptions.resume', async (stripe) => {
        const params = { cancel_at_period_end: false, expand: WHOLE }
        return subscription(await stripe.subscriptions.update(id, params))
      }),

    /** Ends it at once, without a last invoice; open invoices are not retried. Ending it again does no harm. */
    end: (id: string): Promise<Subscription> =>
      ask('subscriptions.end', async (stripe) => {
        const before = await retrieve(stripe, id)
        if (before.endedAt !== null) return before
        try {
          await stripe.subscriptions.cancel(id)
        } catch (error) {
          if (errorCode(error) !== 'resource_missing') throw error
        }
        return retrieve(stripe, id)
      }),

    /** Sets the payment method of the subscription, and the customer's default. Pays no open invoice. */
    payWith: (id: string, method: string): Promise<Subscription> =>
      ask('subscriptions.payWith', async (stripe) => {
        const params = { default_payment_method: method, expand: WHOLE }
        const after = await stripe.subscriptions.update(id, params)
        await stripe.customers.update(idOf(after.customer) ?? '', {
          invoice_settings: { default_payment_method: method },
        })
        return subscription(after)
      }),
  }
}

function itemOf(of: Stripe.Subscription): Stripe.SubscriptionItem {
  const [item] = of.items.data
  if (!item) throw new Error(`A subscription without anything: ${of.id}`)
  return item
}

async function upgradeOf(stripe: Stripe, id: string, params: { readonly price: string; readonly at: Date }) {
  const price = await priceWithKey(stripe, params.price)
  const item = itemOf(await stripe.subscriptions.retrieve(id))
  const { current_period_start: start, current_period_end: end } = item
  return {
    items: [{ id: item.id, price: price.id }],
    proration_behavior: 'always_invoice' as const,
    // Our clock may differ slightly from the provider's.
    proration_date: Math.min(end, Math.max(start, secondsOf(params.at))),
  }
}

/** The current period, then the new plan. A discount must be in every phase, or it is lost. */
function planOf(of: Stripe.Subscription, price: Stripe.Price, key: string) {
  const { current_period_start: start, current_period_end: end, price: now } = itemOf(of)
  return {
    end_behavior: 'release',
    metadata: { price: key },
    phases: [
      {
        items: [{ price: now.id }],
        start_date: start,
        end_date: end,
        proration_behavior: 'none',
        discounts: of.discounts.map((each) => ({ discount: idOf(each) ?? '' })),
        ...(of.status === 'trialing' ? { trial_end: end } : {}),
      },
      {
        items: [{ price: price.id }],
        duration: {
          interval: price.recurring?.interval ?? 'month',
          interval_count: price.recurring?.interval_count ?? 1,
        },
        discounts: discountsUntil(of, end).map(({ id: discount }) => ({ discount })),
        proration_behavior: 'none',
      },
    ],
  } satisfies Stripe.SubscriptionScheduleUpdateParams
}

async function releaseSchedule(stripe: Stripe, id: string): Promise<void> {
  const schedule = idOf((await stripe.subscriptions.retrieve(id)).schedule)
  if (schedule !== null) await stripe.subscriptionSchedules.release(schedule)
}

/** `discounts` must be expanded in the subscription. */
const discountsUntil = (of: Stripe.Subscription, end: number): Stripe.Discount[] =>
  of.discounts.flatMap((each) => {
    const discount = expanded(each)
    return discount && (discount.end === null || discount.end > end) ? [discount] : []
  })

const toQuote = ({ total, amount_due }: Stripe.Invoice, at: Date): Quote => ({
  totalMinor: total,
  dueMinor: amount_due,
  at,
})

/** Named by its effect, so that creating it twice makes one. */
export function discountName(params: Discount): string {
  const off = 'percent' in params ? `${params.percent}pc` : `${params.amountMinor}p`
  return `murmur_${off}_${params.lasts}`.replaceAll('.', '-')
}

async function createDiscount({ coupons }: Stripe, params: Discount): Promise<string> {
  const id = discountName(params)
  const duration = typeof params.lasts === 'number' ? 'repeating' : params.lasts
  try {
    await coupons.create({
      id,
      duration,
      ...(typeof params.lasts === 'number' ? { duration_in_months: params.lasts } : {}),
      ...('percent' in params
        ? { percent_off: params.percent }
        : { amount_off: params.amountMinor, currency: 'gbp' }),
    })
  } catch (error) {
    if (errorCode(error) !== 'resource_already_exists') throw error
  }
  return id
}

function toSubscription(given: Stripe.Subscription): Subscription {
  const item = itemOf(given)
  const { key, amountMinor, months } = toPrice(item.price)
  const method = expanded(given.default_payment_method)
  return {
    id: given.id,
    customer: idOf(given.customer) ?? '',
    state: subscriptionState(given),
    price: key,
    amountMinor,
    months,
    anchor: dateOf(given.billing_cycle_anchor),
    periodStart: dateOf(item.current_period_start),
    periodEnd: dateOf(item.current_period_end),
    trialEndsAt: maybeDate(given.trial_end),
    // The provider's own dashboard only sets the date.
    cancelsAt:
      given.ended_at === null
        ? maybeDate(given.cancel_at ?? (given.cancel_at_period_end ? item.current_period_end : null))
        : null,
    cancelledAt: maybeDate(given.canceled_at),
    endedAt: maybeDate(given.ended_at),
    endReason: given.ended_at === null ? null : endReasonOf(given),
    method: method && toStoredMethod(method),
    waitsFor: waitsFor(given),
    latestInvoice: idOf(given.latest_invoice),
    planned: plannedChangeOf(given, item),
    discounts: given.discounts.flatMap((each) => idOf(each) ?? []),
    unpaidChange: unpaidChangeOf(given),
    metadata: given.metadata,
    createdAt: dateOf(given.created),
  }
}

function subscriptionState(given: Stripe.Subscription): SubscriptionState {
  // Stripe starts a trial before a payment method is stored; the shop's trials wait for one.
  if (given.status === 'trialing' && given.default_payment_method === null) return 'incomplete'
  return STATES[given.status] ?? 'paused'
}

const STATES: Readonly<Record<string, SubscriptionState>> = {
  incomplete: 'incomplete',
  incomplete_expired: 'expired',
  trialing: 'trialing',
  active: 'active',
  past_due: 'past_due',
  unpaid: 'unpaid',
  paused: 'paused',
  canceled: 'ended',
}

function endReasonOf({ cancellation_details: details }: Stripe.Subscription): Subscription['endReason'] {
  if (details?.reason === 'payment_failed') return 'not_paid'
  return details?.reason === 'payment_disputed' ? 'disputed' : 'asked'
}

/** A client secret starts with the id of its object. */
const bySecret = (kind: WaitsFor['kind'], clientSecret: string): WaitsFor => ({
  kind,
  id: clientSecret.split('_secret_')[0] ?? '',
  clientSecret,
})

function waitsFor(given: Stripe.Subscription): WaitsFor | null {
  if (given.ended_at !== null) return null
  const setUp = expanded(given.pending_setup_intent)
  if (setUp?.client_secret) return bySecret('setUp', setUp.client_secret)
  const invoice = expanded(given.latest_invoice)
  const secret = invoice?.status === 'open' ? invoice.confirmation_secret?.client_secret : undefined
  return secret ? bySecret('payment', secret) : null
}

function plannedChangeOf(given: Stripe.Subscription, item: Stripe.SubscriptionItem): Subscription['planned'] {
  const schedule = expanded(given.schedule)
  const price = schedule?.metadata?.price
  if (!schedule || !price || schedule.status !== 'active') return null
  // In the last phase the change has been made already.
  const isAhead = schedule.current_phase?.end_date === item.current_period_end && schedule.phases.length > 1
  const isLast = schedule.phases.at(-1)?.start_date === schedule.current_phase?.start_date
  return isAhead && !isLast ? { price, at: dateOf(item.current_period_end) } : null
}

function unpaidChangeOf({
  pending_update: update,
  latest_invoice,
}: Stripe.Subscription): Subscription['unpaidChange'] {
  const price = update?.subscription_items?.[0]?.price
  const invoice = idOf(latest_invoice)
  return update && price && invoice
    ? { price: toPrice(price).key, invoice, until: dateOf(update.expires_at) }
    : null
}
