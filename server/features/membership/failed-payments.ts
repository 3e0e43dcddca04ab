import { DAY_MS } from '#contract/durations.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'

/**
 * What follows a renewal whose charge failed. The provider repeats the charge for some days; each sync
 * (`sync-subscription.ts`) makes the membership `past_due` and calls `mailFailedPayment`. Benefits last until `graceEnd`.
 * Two days before, `membership-schedule.ts` sends a last warning. The member can pay at once, or with another method
 * (`payment-methods.ts`).
 */

/** A failed charge does not end the benefits at once (docs/product.md, Access). */
const GRACE_DAYS = 7

export const graceEnd = (failedAt: Date): Date => new Date(failedAt.getTime() + GRACE_DAYS * DAY_MS)

/** A failed payment is still open. The banner shows this even after the benefits have ended. */
export const hasFailedPayment = ({ status }: { readonly status: string }): boolean =>
  status === 'past_due' || status === 'unpaid'

/**
 * When the first charge failed, not the last: the days of grace start once, with the period that the charge was for.
 * The provider shows when a charge was tried only while the payment is open, and the shop may not have been notified by
 * then. Null if no charge failed; also set if the membership ended because of that, so that its member can read why.
 */
export function paymentFailedSince(
  before: { readonly paymentFailedAt: Date | null },
  now: { readonly status: string; readonly endReason: string | null; readonly periodStart: Date },
): Date | null {
  if (!hasFailedPayment(now) && now.endReason !== 'not_paid') return null
  return before.paymentFailedAt ?? now.periodStart
}

interface FailedPayment {
  readonly to: string
  readonly firstName: string
  readonly plan: string
  readonly subscriptionId: string
  readonly failedAt: Date
  readonly invoiceId: string
  readonly dueMinor: number
  /** The bank wants the buyer to confirm the payment. */
  readonly needsBuyer: boolean
  readonly now: BusinessTime
}

export async function mailFailedPayment(tx: Db, failed: FailedPayment): Promise<void> {
  const { to, firstName, plan, subscriptionId, invoiceId } = failed
  const benefitsUntil = graceEnd(failed.failedAt)
  const data = {
    firstName,
    plan,
    amountMinor: failed.dueMinor,
    benefitsUntil: benefitsUntil.toISOString(),
    over: benefitsUntil <= failed.now,
    subscriptionId,
  }
  if (failed.needsBuyer)
    await queueMail(tx, { to, kind: 'payment_needs_you', key: `payment_needs_you:${invoiceId}`, data })
  else
    await queueMail(tx, {
      to,
      kind: 'payment_failed',
      key: `payment_failed:${invoiceId}`,
      data: { ...data, last: false },
    })
}
