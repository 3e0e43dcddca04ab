import { DAY_MS } from '#contract/durations.ts'
import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { queueMail } from '../../integrations/mail/queue.ts'

/**
 * The provider repeats a failed charge for some days. Each sync calls `mailFailedPayment`; benefits last until
 * `graceEnd`. Two days before that, `membership-schedule.ts` sends a last warning.
 */

/** A failed charge does not end the benefits at once (docs/product.md, Access). */
const GRACE_DAYS = 7

export const graceEnd = (failedAt: Date): Date => new Date(failedAt.getTime() + GRACE_DAYS * DAY_MS)

/** The banner shows this even after the benefits have ended. */
export const hasFailedPayment = ({ status }: { readonly status: string }): boolean =>
  status === 'past_due' || status === 'unpaid'

/** When the first charge failed: grace starts only once. Still set if the membership has ended because of it. */
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
