import type { Store } from '../store.ts'

/** What an account's owner sets in Stripe's dashboard under Billing; a test may set it by `_sandbox/account`. */
export interface Account {
  readonly id: 'account'
  /** Days after the first failed charge on which it is tried again; the last of them decides. */
  readonly retries: readonly number[]
  /** What becomes of a subscription that was not paid in the end. */
  readonly finalAction: FinalAction
  /** How many days before a renewal `invoice.upcoming` is told. */
  readonly upcomingDays: number
  /** How long an invoice of a renewal stays a draft. */
  readonly draftSeconds: number
  /** How long after a period's end the next one begins: it counts from that end all the same. */
  readonly renewalSeconds: number
  /** What a change of price does that is made beside a schedule; the schedule's own phases stay in any case. */
  readonly scheduledUpdates: ScheduledUpdates
  /** Whether invoices of a customer who was deleted can be credited. What Stripe does is not known. */
  readonly creditsDeleted: boolean
}

export const SCHEDULED_UPDATES = ['refused', 'until_next_phase'] as const
export type ScheduledUpdates = (typeof SCHEDULED_UPDATES)[number]

export const FINAL_ACTIONS = ['cancel', 'unpaid', 'past_due', 'pause'] as const
export type FinalAction = (typeof FINAL_ACTIONS)[number]

const USUAL: Account = {
  id: 'account',
  retries: [3, 5, 7, 10, 14, 21, 28],
  finalAction: 'cancel',
  upcomingDays: 7,
  draftSeconds: 3_600,
  renewalSeconds: 0,
  scheduledUpdates: 'refused',
  creditsDeleted: false,
}

export const accountOf = (store: Store): Account => ({
  ...USUAL,
  ...store.get<Account>('setting', 'account'),
})
