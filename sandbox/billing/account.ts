import type { Store } from '../store.ts'

/** Billing settings of the Stripe dashboard. Tests change them through `_sandbox/account`. */
export interface Account {
  readonly id: 'account'
  /** Days after the first failed charge on which it is retried. If the last retry fails, `finalAction` applies. */
  readonly retries: readonly number[]
  readonly finalAction: FinalAction
  /** Number of days before a renewal at which `invoice.upcoming` is sent. */
  readonly upcomingDays: number
  readonly draftSeconds: number
  /** Delay between a period's end and its renewal. The next period starts at that end nevertheless. */
  readonly renewalSeconds: number
  /** The effect of a price change on a subscription with a schedule. The schedule's own phases do not change. */
  readonly scheduledUpdates: ScheduledUpdates
  /** Whether an invoice of a deleted customer can be credited. Stripe's behaviour is not known. */
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
