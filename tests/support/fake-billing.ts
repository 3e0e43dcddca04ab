import { DAY_MS } from '#contract/durations.ts'
import { randomUUID } from 'node:crypto'
import type { Billing } from '#server/integrations/stripe/provider.ts'
import { noBilling } from '#tests/support/no-provider.ts'
import { membershipPrices } from '#server/integrations/stripe/prices.ts'
import { NotAtProvider } from '#server/integrations/stripe/problems.ts'
import type { SetUp } from '#server/integrations/stripe/customers.ts'
import type { Subscription } from '#server/integrations/stripe/subscriptions.ts'

const CARD = {
  id: 'pm_fake',
  kind: 'card',
  fingerprint: 'fake',
  brand: 'visa',
  last4: '4242',
  expiresAt: null,
} as const

/**
 * A provider that charges nothing: it returns what it was given, and every call succeeds. For tests of permissions;
 * tests of amounts use the sandbox.
 */
export function fakeBilling(now: () => Date = () => new Date()): Billing {
  const subscriptions = new Map<string, Subscription>()
  const setUps = new Map<string, SetUp>()
  const id = (prefix: string) => `${prefix}_${randomUUID().replaceAll('-', '')}`
  const of = (subscriptionId: string): Subscription => {
    const found = subscriptions.get(subscriptionId)
    if (!found) throw new NotAtProvider(subscriptionId)
    return found
  }
  const change = (subscriptionId: string, fields: Partial<Subscription>): Subscription => {
    const changed = { ...of(subscriptionId), ...fields }
    subscriptions.set(subscriptionId, changed)
    return changed
  }
  const quote = async () => ({ totalMinor: 400, dueMinor: 400, at: now() })

  return {
    ...noBilling,
    prices: {
      ...noBilling.prices,
      find: async (keys) =>
        new Map(
          membershipPrices()
            .filter(({ key }) => keys.includes(key))
            .map((price) => [price.key, { id: price.key, ...price }]),
        ),
    },
    customers: {
      create: async () => id('cus'),
      update: async () => undefined,
      keep: async (_customer, method) => method,
      ownerOf: async () => null,
      cards: async () => [],
      drop: async () => undefined,
      erase: async () => undefined,
    },
    setUps: {
      async create({ customer, metadata }) {
        const made = id('seti')
        const clientSecret = `${made}_secret_fake`
        const setUp = {
          id: made,
          clientSecret,
          state: 'open',
          customer,
          method: null,
          refusal: null,
          metadata,
        } as const
        setUps.set(made, setUp)
        return setUp
      },
      async retrieve(setUpId) {
        const found = setUps.get(setUpId)
        if (!found) throw new NotAtProvider(setUpId)
        return { ...found, state: 'done', method: CARD }
      },
    },
    subscriptions: {
      ...noBilling.subscriptions,
      async create({ customer, price, metadata }) {
        const made = id('sub')
        const from = now()
        const intent = id('pi')
        subscriptions.set(made, {
          id: made,
          customer,
          state: 'active',
          price,
          amountMinor: 800,
          months: 1,
          anchor: from,
          periodStart: from,
          periodEnd: new Date(from.getTime() + 30 * DAY_MS),
          trialEndsAt: null,
          cancelsAt: null,
          cancelledAt: null,
          endedAt: null,
          endReason: null,
          method: CARD,
          waitsFor: { kind: 'payment', id: intent, clientSecret: `${intent}_secret_fake` },
          latestInvoice: null,
          planned: null,
          discounts: [],
          unpaidChange: null,
          metadata,
          createdAt: from,
        })
        return change(made, { state: 'incomplete' })
      },
      retrieve: async (subscriptionId) => of(subscriptionId),
      quoteUpgrade: quote,
      quoteAtPeriodEnd: quote,
      quoteRenewal: quote,
      upgrade: async (subscriptionId, { price }) => change(subscriptionId, { price }),
      changeAtPeriodEnd: async (subscriptionId, price) =>
        change(subscriptionId, { planned: { price, at: of(subscriptionId).periodEnd } }),
      cancelPlannedChange: async (subscriptionId) => change(subscriptionId, { planned: null }),
      cancel: async (subscriptionId) =>
        change(subscriptionId, { cancelsAt: of(subscriptionId).periodEnd, cancelledAt: now() }),
      resume: async (subscriptionId) => change(subscriptionId, { cancelsAt: null, cancelledAt: null }),
      end: async (subscriptionId) => change(subscriptionId, { state: 'ended', endedAt: now() }),
      payWith: async (subscriptionId) => change(subscriptionId, { state: 'active', waitsFor: null }),
    },
    invoices: {
      ...noBilling.invoices,
      // oxlint-disable-next-line require-yield -- There are none.
      async *list() {},
      paidBy: async () => null,
    },
  }
}
