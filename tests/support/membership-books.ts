import { DAY_MS } from '#contract/durations.ts'
import { PLANS, type PlanId } from '#contract/plans.ts'
import { monthsAfter, monthsBetween } from '#server/features/membership/months.ts'
import type { Billing, Payments } from '#server/integrations/stripe/provider.ts'
import type { Invoice } from '#server/integrations/stripe/invoices.ts'
import { planOfKey } from '#server/integrations/stripe/prices.ts'
import type { DisputeState, Payment, Refund } from '#server/integrations/stripe/payments.ts'
import type { Subscription } from '#server/integrations/stripe/subscriptions.ts'

/** The provider's records of one subscription, to compare the shop's with. */
export interface ProviderBooks {
  readonly subscription: Subscription
  /** Oldest first. */
  readonly invoices: readonly Invoice[]
  /** Of the paid invoices. */
  readonly charges: readonly Charge[]
}

export interface Charge {
  readonly invoice: Invoice
  readonly payment: Payment
  readonly refunds: readonly Refund[]
  readonly dispute: DisputeState
}

interface Provider {
  readonly billing: Pick<Billing, 'invoices' | 'subscriptions'>
  readonly payments: Payments
}

/** Oldest first. */
export async function invoicesOf(
  { billing }: Pick<Provider, 'billing'>,
  subscription: string,
): Promise<Invoice[]> {
  const found: Invoice[] = []
  for await (const invoice of billing.invoices.list({ subscription })) found.push(invoice)
  return found.reverse()
}

/** All subscriptions of a customer, oldest first. */
export async function booksOf(provider: Provider, customer: string): Promise<ProviderBooks[]> {
  const { billing, payments } = provider
  const books: ProviderBooks[] = []
  for await (const subscription of billing.subscriptions.list({ customer })) {
    const invoices = await invoicesOf(provider, subscription.id)
    const charges: Charge[] = []
    for (const invoice of invoices) {
      if (invoice.state !== 'paid' || invoice.payment === null) continue
      const payment = await payments.retrievePayment(invoice.payment)
      const isTouched = payment.refundedMinor > 0 || invoice.creditedMinor > 0 || payment.disputed
      charges.push({
        invoice,
        payment,
        refunds: isTouched ? await payments.refundsOf(payment.id) : [],
        dispute: payment.disputed ? await payments.disputeOf(payment.id) : 'none',
      })
    }
    books.push({ subscription, invoices, charges })
  }
  return books.reverse()
}

export const planOf = ({ lines }: Invoice): PlanId => planOfKey(lines.at(-1)!.price!)!

export const sum = (amounts: readonly number[]): number =>
  amounts.reduce((whole, amount) => whole + amount, 0)

/**
 * How many free audiobooks the plans promise for the paid invoices: each month of a period brings the number of the plan
 * that was active when the month ended. A change within a period is an upgrade, and brings the difference at once.
 */
export function promised(paid: readonly Invoice[], anchor: Date): number {
  const changes = paid.filter(({ reason }) => reason === 'changed')
  const periods = paid.filter(({ reason }) => reason !== 'changed')
  return sum(
    periods.map((period) => {
      const { from, until } = period.lines.at(-1)!
      const first = monthsBetween(anchor, from)
      return sum(
        Array.from({ length: PLANS[planOf(period)].months }, (_, month) => {
          const ends = monthsAfter(anchor, first + month + 1)
          const had = changes.findLast(
            ({ createdAt }) => createdAt >= from && createdAt < until && createdAt < ends,
          )
          return PLANS[planOf(had ?? period)].creditsPerMonth
        }),
      )
    }),
  )
}

const WITHDRAW_MS = 14 * DAY_MS

/**
 * The refund in pence that docs/product.md promises for a withdrawal now, by the provider's records: for each charge
 * since the one that started the withdrawal period, the smaller share of its days left or of this month's unused free
 * audiobooks. Null after the period.
 */
export function withdrawalBy(
  charges: readonly Charge[],
  month: { readonly given: number; readonly taken: number },
  now: Date,
): number | null {
  const paid = charges.filter(({ invoice }) => invoice.paidMinor > 0)
  const opening = paid.findLast(
    ({ invoice }, place) =>
      now.getTime() - invoice.paidAt!.getTime() < WITHDRAW_MS &&
      (place === 0 || (invoice.reason === 'renewed' && PLANS[planOf(invoice)].yearly)),
  )
  if (!opening) return null
  return sum(
    paid
      .filter(({ invoice }) => invoice.paidAt! >= opening.invoice.paidAt!)
      .map(({ invoice, payment }) => {
        const { from, until } = invoice.lines.at(-1)!
        const days = Math.round((until.getTime() - from.getTime()) / DAY_MS)
        const used = Math.max(0, Math.floor((now.getTime() - from.getTime()) / DAY_MS))
        const ofDays = (days - used) / days
        const ofMonth = month.given === 0 ? 1 : (month.given - month.taken) / month.given
        const share = Math.round(invoice.paidMinor * Math.max(0, Math.min(ofDays, ofMonth)))
        return Math.min(share, invoice.paidMinor - payment.refundedMinor)
      }),
  )
}
