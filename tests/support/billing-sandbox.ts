import Stripe from 'stripe'
import { type TestSandbox, testSandbox } from './sandbox.ts'

export const JANUARY_31 = Date.UTC(2027, 0, 31, 10) / 1000
export const day = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10)

export interface Member {
  readonly customer: string
  readonly subscription: string
  readonly clock: string
}

/** The sandbox with three prices, customers with a test clock each, and the official Stripe library. */
export interface BillingSandbox extends TestSandbox {
  readonly stripe: Stripe
  readonly prices: Readonly<Record<'avid' | 'reader' | 'supporter' | 'yearly', string>>
  customer(begins?: number): Promise<{ readonly customer: string; readonly clock: string }>
  /** A member who joined with a card and was charged. */
  member(wish?: Partial<Joining>): Promise<Member>
  /** Advances a test clock, with all events on the way. */
  advance(clock: string, to: number): Promise<void>
  /** Advances month by month, because Stripe limits how far one call may go. */
  advanceMonths(member: Pick<Member, 'clock'>, months: number): Promise<void>
  subscription(member: Pick<Member, 'subscription'>): Promise<Stripe.Subscription>
  /** Newest first. */
  invoices(member: Pick<Member, 'subscription'>): Promise<Stripe.Invoice[]>
  /** The event types of this customer, oldest first. */
  told(member: Pick<Member, 'customer'>): Promise<string[]>
}

interface Joining {
  readonly price: 'avid' | 'reader' | 'supporter' | 'yearly'
  readonly card: string
  readonly begins: number
  readonly coupon: string
}

export async function billingSandbox(): Promise<BillingSandbox> {
  const sandbox = await testSandbox()
  const { hostname: host, port } = new URL(sandbox.origin)
  const stripe = new Stripe(sandbox.env.STRIPE_SECRET_KEY!, {
    host,
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  })
  const product = await stripe.products.create({ name: 'Membership' })
  const price = async (pounds: number, interval: 'month' | 'year') =>
    (
      await stripe.prices.create({
        product: product.id,
        currency: 'gbp',
        unit_amount: pounds * 100,
        recurring: { interval },
        tax_behavior: 'inclusive',
      })
    ).id
  const prices = {
    avid: await price(12, 'month'),
    reader: await price(8, 'month'),
    supporter: await price(3, 'month'),
    yearly: await price(80, 'year'),
  }

  const all: BillingSandbox = {
    ...sandbox,
    stripe,
    prices,
    async customer(begins = JANUARY_31) {
      const clock = await stripe.testHelpers.testClocks.create({ frozen_time: begins })
      const customer = await stripe.customers.create({ email: 'a@murmur.example', test_clock: clock.id })
      return { customer: customer.id, clock: clock.id }
    },
    async member({ price = 'reader', card = '4242424242424242', begins, coupon } = {}) {
      const { customer, clock } = await all.customer(begins)
      const made = await stripe.subscriptions.create({
        customer,
        items: [{ price: prices[price] }],
        payment_behavior: 'default_incomplete',
        payment_settings: { save_default_payment_method: 'on_subscription' },
        ...(coupon ? { discounts: [{ coupon }] } : {}),
        expand: ['latest_invoice.confirmation_secret'],
      })
      const secret = (made.latest_invoice as Stripe.Invoice).confirmation_secret?.client_secret
      if (secret) {
        const confirmed = await sandbox.confirm(
          { id: secret.split('_secret_')[0]!, clientSecret: secret },
          card,
        )
        if (confirmed.status === 'requires_action') await sandbox.decide(confirmed, 'approve')
      }
      return { customer, clock, subscription: made.id }
    },
    async advance(clock, to) {
      await stripe.testHelpers.testClocks.advance(clock, { frozen_time: to })
      while ((await stripe.testHelpers.testClocks.retrieve(clock)).status !== 'ready')
        await new Promise(setImmediate)
    },
    async advanceMonths({ clock }, months) {
      for (let month = 0; month < months; month += 1) {
        const { frozen_time: now } = await stripe.testHelpers.testClocks.retrieve(clock)
        await all.advance(clock, now + 31 * 86_400)
      }
    },
    subscription: ({ subscription }) => stripe.subscriptions.retrieve(subscription),
    invoices: async ({ subscription }) => (await stripe.invoices.list({ subscription, limit: 100 })).data,
    async told({ customer }) {
      const types: string[] = []
      for await (const { type, data } of stripe.events.list({ limit: 100 })) {
        const about = data.object as { id?: string; customer?: string }
        if (about.customer === customer || about.id === customer) types.push(type)
      }
      return types.reverse()
    },
  }
  return all
}
