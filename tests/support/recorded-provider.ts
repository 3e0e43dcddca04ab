import type { Billing, Payments } from '#server/integrations/stripe/provider.ts'
import { noBilling, noPayments } from '#tests/support/no-provider.ts'
import type { Invoice } from '#server/integrations/stripe/invoices.ts'
import type { DisputeState, Payment } from '#server/integrations/stripe/payments.ts'
import { NotAtProvider } from '#server/integrations/stripe/problems.ts'
import type { Subscription } from '#server/integrations/stripe/subscriptions.ts'
import type { MembersShop } from './members.ts'

/** The provider's state of one membership at one moment. */
export interface Moment {
  readonly now: Date
  readonly subscription: Subscription
  /** Newest first. */
  readonly invoices: readonly Invoice[]
  readonly payments: ReadonlyMap<string, { readonly payment: Payment; readonly dispute: DisputeState }>
  readonly nextMinor: number
}

export async function momentOf(all: MembersShop, subscriptionId: string): Promise<Moment> {
  const { billing, payments: provider } = all.sandbox
  const subscription = await billing.subscriptions.retrieve(subscriptionId)
  const invoices: Invoice[] = []
  for await (const { id } of billing.invoices.list({ subscription: subscriptionId }))
    invoices.push(await billing.invoices.retrieve(id))
  const payments = new Map<string, { payment: Payment; dispute: DisputeState }>()
  for (const { payment: id } of invoices) {
    if (id === null) continue
    payments.set(id, {
      payment: await provider.retrievePayment(id),
      dispute: await provider.disputeOf(id),
    })
  }
  const renews = subscription.state === 'active' && subscription.cancelsAt === null
  const nextMinor = renews ? (await billing.subscriptions.quoteRenewal(subscriptionId)).totalMinor : 0
  return { now: all.shop.clock.now(), subscription, invoices, payments, nextMinor }
}

/** A provider that replays recorded moments, as often and as slowly as a test needs. */
export interface RecordedProvider {
  readonly billing: Billing
  readonly payments: Payments
  /** Moves to a moment, never to an earlier one. */
  reach(moment: number): void
  now(): Date
}

export function recordedProvider(moments: readonly Moment[]): RecordedProvider {
  let reached = 0
  const at = () => moments[reached]!
  const known = <T>(found: T | undefined, id: string): T => {
    if (found === undefined) throw new NotAtProvider(id)
    return found
  }
  const subscriptionOf = (id: string) =>
    known(id === at().subscription.id ? at().subscription : undefined, id)
  const invoiceOf = (id: string) =>
    known(
      at().invoices.find((invoice) => invoice.id === id),
      id,
    )
  return {
    reach: (moment) => void (reached = Math.max(reached, moment)),
    now: () => at().now,
    billing: {
      ...noBilling,
      subscriptions: {
        ...noBilling.subscriptions,
        retrieve: async (id) => subscriptionOf(id),
        quoteRenewal: async () => ({ totalMinor: at().nextMinor, dueMinor: at().nextMinor, at: at().now }),
        async end(id) {
          reached = Math.max(
            reached,
            moments.findIndex(({ subscription }) => subscription.state === 'ended'),
          )
          return subscriptionOf(id)
        },
      },
      invoices: {
        ...noBilling.invoices,
        retrieve: async (id) => invoiceOf(id),
        async *list({ subscription }) {
          if (subscription === at().subscription.id) yield* at().invoices
        },
        creditNotes: async () => [],
        async paidBy(id) {
          const invoice = at().invoices.find((each) => each.payment === id)
          return invoice
            ? {
                invoice: invoice.id,
                subscription: at().subscription.id,
                payment: known(at().payments.get(id), id).payment,
                creditedMinor: invoice.creditedMinor,
              }
            : null
        },
      },
    },
    payments: {
      ...noPayments,
      retrievePayment: async (id) => known(at().payments.get(id), id).payment,
      disputeOf: async (id) => known(at().payments.get(id), id).dispute,
      disputeDetailsOf: async (id) => {
        const { dispute: state } = known(at().payments.get(id), id)
        return { state, isRefundable: state === 'none' || state === 'won' }
      },
      async *listPayments() {
        for (const { payment } of at().payments.values()) yield payment
      },
      async *listReturned() {
        for (const { payment } of at().payments.values())
          if (payment.refundedMinor > 0 || payment.disputed) yield payment.id
      },
    },
  }
}
