import type { PlanId } from '#contract/plans.ts'
import type { Payment } from '../../outside/stripe/payments.ts'
import type { Subscription } from '../../outside/stripe/subscriptions.ts'
import type { Order } from '../orders/rules.ts'
import type { ReturnedPeriods } from './returned-periods.ts'
import type { PaidInvoice } from './invoice-order.ts'
import type { SubscriptionRow } from './rows.ts'

/** The provider's view of a membership, asked for in one go, before anything is locked. */
export interface ProviderSnapshot {
  readonly subscription: Subscription
  /** Paid ones with their payments, oldest first. */
  readonly paid: readonly PaidInvoice[]
  /** The one that waits, where a charge failed. */
  readonly failed: {
    readonly invoiceId: string
    readonly dueMinor: number
    readonly payment: Payment | null
  } | null
  /** The next charge; null where nothing is. */
  readonly nextMinor: number | null
  readonly quotedFor: string | null
  /** When it was asked for, counted over all servers. */
  readonly asking: number
  /** Times whose money was asked back, where something may be granted in them anew. */
  readonly disputed: readonly ReturnedPeriods[]
}

/** The bank would pay, once its customer has said so. */
export const needsBuyer = ({ state, refusal }: Payment): boolean =>
  state === 'open' && (refusal === null || refusal.code === 'authentication_required')

/** The change, for the mails about it. */
export interface Transition {
  readonly before: SubscriptionRow
  readonly after: SubscriptionRow & { readonly userId: string }
  readonly sold: readonly { readonly order: Order; readonly paid: PaidInvoice; readonly plan: PlanId }[]
  readonly said: ProviderSnapshot
}
