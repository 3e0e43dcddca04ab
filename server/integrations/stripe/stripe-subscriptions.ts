import type Stripe from 'stripe'
import { type Client, codeOf } from './client.ts'
import { discountOf } from './stripe-discounts.ts'
import { demandPrice, type PriceKeys } from './stripe-prices.ts'
import { subscription as subscriptionOf, WHOLE_SUBSCRIPTION as WHOLE } from './subscription-view.ts'
import type { Quote, Subscriptions } from './subscriptions.ts'
import { dateOf, idOf, PAGE, secondsOf, wholeOf } from './response-parsing.ts'

export function stripeSubscriptions({ ask, each }: Client, keys: PriceKeys): Subscriptions {
  const subscription = (found: Stripe.Subscription) => {
    for (const { price } of found.items.data) keys.note(price)
    return subscriptionOf(found)
  }
  const retrieve = async (stripe: Stripe, id: string) =>
    subscription(await stripe.subscriptions.retrieve(id, { expand: WHOLE }))

  return {
    create: (params, idempotencyKey) =>
      ask(async (stripe) => {
        const { customer, trialDays, discount, method, metadata } = params
        const price = await demandPrice(stripe, params.price)
        const coupon = discount && (await discountOf(stripe, discount))
        return subscription(
          await stripe.subscriptions.create(
            {
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
            },
            { idempotencyKey: idempotencyKey },
          ),
        )
      }),
    retrieve: (id) => ask((stripe) => retrieve(stripe, id)),
    async *list(of) {
      const params = {
        ...of,
        status: 'all',
        limit: PAGE,
        expand: WHOLE.map((path) => `data.${path}`),
      } as const
      for await (const found of each(({ subscriptions }) => subscriptions.list(params)))
        yield subscription(found)
    },

    quoteUpgrade: (id, price, now) =>
      ask(async (stripe) => {
        const params = await upgradeOf(stripe, id, { price, at: now })
        const preview = await stripe.invoices.createPreview({
          subscription: id,
          subscription_details: params,
        })
        return quote(preview, dateOf(params.proration_date))
      }),
    upgrade: (id, params, idempotencyKey) =>
      ask(async (stripe) => {
        // A schedule would undo the upgrade at the end of the period.
        await releaseSchedule(stripe, id)
        const change = await upgradeOf(stripe, id, params)
        return subscription(
          await stripe.subscriptions.update(
            id,
            { ...change, payment_behavior: 'pending_if_incomplete', expand: WHOLE },
            { idempotencyKey: idempotencyKey },
          ),
        )
      }),

    quoteAtPeriodEnd: (id, key) =>
      ask(async (stripe) => {
        const of = await stripe.subscriptions.retrieve(id, { expand: ['discounts'] })
        const end = itemOf(of).current_period_end
        const price = await demandPrice(stripe, key)
        const preview = await stripe.invoices.createPreview({
          customer: idOf(of.customer) ?? '',
          subscription_details: { items: [{ price: price.id }] },
          discounts: discountsUntil(of, end).flatMap(({ source }) => {
            const coupon = idOf(source.coupon)
            return coupon === null ? [] : [{ coupon }]
          }),
        })
        return quote(preview, dateOf(end))
      }),
    changeAtPeriodEnd: (id, key) =>
      ask(async (stripe) => {
        const price = await demandPrice(stripe, key)
        const of = await stripe.subscriptions.retrieve(id, { expand: ['discounts'] })
        const schedule =
          idOf(of.schedule) ?? (await stripe.subscriptionSchedules.create({ from_subscription: id })).id
        await stripe.subscriptionSchedules.update(schedule, planOf(of, price, key))
        return retrieve(stripe, id)
      }),
    cancelPlannedChange: (id) =>
      ask(async (stripe) => {
        await releaseSchedule(stripe, id)
        return retrieve(stripe, id)
      }),
    quoteRenewal: (id) =>
      ask(async (stripe) => {
        const preview = await stripe.invoices.createPreview({ subscription: id })
        return quote(preview, dateOf(preview.period_end))
      }),

    cancel: (id) =>
      ask(async (stripe) => {
        // The provider refuses to end a subscription that has an active schedule.
        await releaseSchedule(stripe, id)
        const params = { cancel_at_period_end: true, expand: WHOLE }
        return subscription(await stripe.subscriptions.update(id, params))
      }),
    resume: (id) =>
      ask(async (stripe) => {
        const params = { cancel_at_period_end: false, expand: WHOLE }
        return subscription(await stripe.subscriptions.update(id, params))
      }),
    end: (id) =>
      ask(async (stripe) => {
        const before = await retrieve(stripe, id)
        if (before.endedAt !== null) return before
        try {
          await stripe.subscriptions.cancel(id)
        } catch (error) {
          // It ended at the same moment.
          if (codeOf(error) !== 'resource_missing') throw error
        }
        return retrieve(stripe, id)
      }),

    payWith: (id, method) =>
      ask(async (stripe) => {
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
  const price = await demandPrice(stripe, params.price)
  const item = itemOf(await stripe.subscriptions.retrieve(id))
  const { current_period_start: start, current_period_end: end } = item
  return {
    items: [{ id: item.id, price: price.id }],
    proration_behavior: 'always_invoice' as const,
    // Our clock may differ slightly from the provider's.
    proration_date: Math.min(end, Math.max(start, secondsOf(params.at))),
  }
}

/**
 * A schedule with two phases: the current period as it is, then the new plan; afterwards the schedule is released. A
 * discount must be in every phase, or it is lost.
 */
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

/** Discounts that still apply after the period. `discounts` must be expanded in the subscription. */
const discountsUntil = (of: Stripe.Subscription, end: number): Stripe.Discount[] =>
  of.discounts.flatMap((each) => {
    const held = wholeOf(each)
    return held && (held.end === null || held.end > end) ? [held] : []
  })

const quote = ({ total, amount_due }: Stripe.Invoice, at: Date): Quote => ({
  totalMinor: total,
  dueMinor: amount_due,
  at,
})
