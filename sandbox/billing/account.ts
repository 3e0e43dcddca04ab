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
}

export const FINAL_ACTIONS = ['cancel', 'unpaid', 'past_due', 'pause'] as const
export type FinalAction = (typeof FINAL_ACTIONS)[number]

const USUAL: Account = {
  id: 'account',
  retries: [3, 5, 7, 10, 14, 21, 28],
  finalAction: 'cancel',
  upcomingDays: 7,
  draftSeconds: 3_600,
}

export const accountOf = (store: Store): Account => store.get<Account>('setting', 'account') ?? USUAL
