import type Stripe from 'stripe'
import type { PaymentSettings } from '../../settings/payment-settings.ts'
import { dateOf, secondsOf } from './client.ts'
import { type Invoice, toInvoice } from './invoices.ts'
import { PaymentsUnavailable } from './problems.ts'
import { type Discount, discountName } from './subscriptions.ts'

/** A subscription with a past. Only the sandbox can create one. */
export interface LongMember {
  readonly email: string
  readonly name: string
  readonly metadata: { readonly subscription: string; readonly user: string }
  readonly price: string
  readonly method: 'card' | 'paypal'
  readonly startedAt: Date
  readonly periodStart: Date
  /** Set if it is not a whole month or year. */
  readonly periodEnd: Date | null
  readonly isTrial: boolean
  readonly canceledAt: Date | null
  readonly isRefused: boolean
  readonly discount: (Discount & { readonly percent: number }) | null
}

export interface LongMemberMade {
  readonly subscription: string
  readonly providerId: string
  readonly customer: string
  readonly anchor: Date
  readonly periodStart: Date
  readonly periodEnd: Date
  readonly nextMinor: number | null
  readonly paid: readonly PastInvoice[]
}

export type PastInvoice = Pick<Invoice, 'id' | 'reason' | 'lines' | 'paidMinor' | 'createdAt' | 'paidAt'>

export interface LongPaid {
  readonly order: string
  readonly amountMinor: number
  readonly email: string
  readonly paidAt: Date
}

export interface LongPaidMade {
  readonly order: string
  readonly intentId: string
  readonly clientSecret: string
}

export type SandboxControl = ReturnType<typeof openSandboxControl>

export const sandboxControlOf = ({
  apiBase,
  secretKey,
}: Partial<PaymentSettings> = {}): SandboxControl | null =>
  apiBase && secretKey ? openSandboxControl(apiBase, secretKey) : null

function openSandboxControl(apiBase: URL, secretKey: string) {
  const ask = async <T>(path: string, fields?: Record<string, string>): Promise<T> => {
    const answer = await fetch(new URL(`/_sandbox/${path}`, apiBase), {
      method: fields ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${secretKey}` },
      ...(fields ? { body: new URLSearchParams(fields) } : {}),
    })
    if (!answer.ok) throw new PaymentsUnavailable(`The payment sandbox answered ${answer.status}.`)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own sandbox, which comes with the demo
    return (await answer.json()) as T
  }
  return {
    async members(members: readonly LongMember[]): Promise<LongMemberMade[]> {
      const past = JSON.stringify(members.map(sandboxMember))
      const { data } = await ask<{ data: readonly CreatedMember[] }>('subscriptions', { past })
      return data.map(toLongMember)
    },
    async payments(payments: readonly LongPaid[]): Promise<LongPaidMade[]> {
      const past = payments.map(({ order, amountMinor, email, paidAt }) => ({
        metadata: { order },
        amount: amountMinor,
        email,
        paidAt: secondsOf(paidAt),
      }))
      const { data } = await ask<{ data: readonly CreatedPayment[] }>('payments', {
        past: JSON.stringify(past),
      })
      return data.map(({ id, client_secret: clientSecret, metadata }) => ({
        order: metadata.order ?? '',
        intentId: id,
        clientSecret,
      }))
    },
    async time(): Promise<{ readonly now: Date; readonly next: Date | null }> {
      const { now, next } = await ask<{ now: number; next: number | null }>('clock')
      return { now: dateOf(now), next: next === null ? null : dateOf(next) }
    },
    /** Advances the time; resolves after everything happened and all webhooks were delivered. */
    async advance(seconds: number): Promise<void> {
      await ask('clock', { advance: String(Math.max(0, Math.ceil(seconds))) })
      await ask('webhooks/settled', {})
    },
    async reset(): Promise<void> {
      await ask('reset', {})
    },
  }
}

interface CreatedPayment {
  readonly id: string
  readonly client_secret: string
  readonly metadata: Readonly<Record<string, string>>
}

interface CreatedMember {
  readonly subscription: {
    readonly id: string
    readonly customer: string
    readonly billing_cycle_anchor: number
    readonly items: {
      readonly data: readonly { readonly current_period_start: number; readonly current_period_end: number }[]
    }
    readonly metadata: Readonly<Record<string, string>>
  }
  readonly next: number | null
  readonly paid: readonly Stripe.Invoice[]
}

const sandboxMember = ({
  startedAt,
  periodStart,
  periodEnd,
  canceledAt,
  discount,
  ...member
}: LongMember) => ({
  email: member.email,
  name: member.name,
  metadata: member.metadata,
  lookupKey: member.price,
  method: member.method,
  isTrial: member.isTrial,
  startedAt: secondsOf(startedAt),
  periodStart: secondsOf(periodStart),
  ...(periodEnd ? { periodEnd: secondsOf(periodEnd) } : {}),
  ...(canceledAt ? { canceledAt: secondsOf(canceledAt) } : {}),
  ...(member.isRefused ? { bank: 'insufficient_funds' } : {}),
  ...(discount
    ? {
        discount: {
          coupon: discountName(discount),
          percent: discount.percent,
          months: typeof discount.lasts === 'number' ? discount.lasts : null,
        },
      }
    : {}),
})

function toLongMember({ subscription: of, next, paid }: CreatedMember): LongMemberMade {
  const [item] = of.items.data
  return {
    subscription: of.metadata.subscription ?? '',
    providerId: of.id,
    customer: of.customer,
    anchor: dateOf(of.billing_cycle_anchor),
    periodStart: dateOf(item!.current_period_start),
    periodEnd: dateOf(item!.current_period_end),
    nextMinor: next,
    paid: paid.map((each) => toInvoice(each, () => null)),
  }
}
