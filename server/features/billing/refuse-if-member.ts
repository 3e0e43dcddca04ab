import { outdated, refused } from '../../wire/refusals.ts'
import { hasFailedPayment } from '../membership/rules.ts'
import type { SubscriptionRow } from './rows.ts'

export const TRIAL_USED = 'You’ve already had a free trial.'

export const ALREADY = 'User already has an active subscription'

/**
 * An account has one membership of its own. A membership that was given may run beside. The client looks for these
 * words, which ERR-01 and ERR-02 give, “an payment” too.
 */
export function refuseIfMember(running: readonly SubscriptionRow[]): void {
  const own = running.filter(({ gift, status }) => !gift && status !== 'incomplete')
  if (own.some(hasFailedPayment)) throw refused('User already has an payment failed subscription')
  if (own.length > 0) throw refused(ALREADY)
}

/** Another join of the account took the place of this one before it was paid. */
export const joinSuperseded = () =>
  outdated('You’ve started joining in another window. Nothing was charged here.')

export const paymentStillChecked = () =>
  outdated('An earlier payment is still being checked. Please try again in a moment.', 5)
