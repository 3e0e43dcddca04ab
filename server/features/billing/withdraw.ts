import { MESSAGES } from '#contract/messages.ts'
import { PLANS } from '#contract/plans.ts'
import { queueMail } from '../../outside/mail/queue.ts'
import { PaymentConflict } from '../../outside/stripe/problems.ts'
import { outdated, refused } from '../../refusals.ts'
import { detailsOf, revokeFor } from '../membership/rules.ts'
import { findOrder, holdOrder, refundOrder } from '../orders/rules.ts'
import { billedOf, write } from './changes.ts'
import type { Desk } from './desk.ts'
import { selectNewestInvoice, type SubscriptionRow, updateSubscription } from './rows.ts'
import { settleSubscription } from './settle.ts'

/**
 * Within 14 days: the smaller share of what was paid comes back, unspent credits end, and so does the membership
 * (docs/product.md, Memberships). That it was asked for is noted first, so that a server that dies on the way goes on where
 * it stopped when it is asked again; the provider's key pays back once.
 */
export async function withdraw(
  desk: Desk,
  userId: string,
  id: string,
  shownMinor: number,
): Promise<SubscriptionRow> {
  const before = await billedOf(desk, userId, id)
  const { withdrawal } = await detailsOf(desk.db, userId, id, desk.clock.now())
  const invoice = await selectNewestInvoice(desk.db, id)
  // Asked again after the money went: only what was left undone is done.
  const isPaidBack = before.withdrawnAt !== null && withdrawal === null
  if (!isPaidBack) {
    if (!withdrawal || !invoice) throw refused('It’s too late to withdraw. You can still cancel.')
    if (withdrawal.amountMinor !== shownMinor) throw outdated(MESSAGES.totalHasChanged)
    if (before.withdrawnAt === null) await updateSubscription(desk.db, id, { withdrawnAt: desk.clock.now() })
  }
  if (!invoice) return before
  const amountMinor = withdrawal?.amountMinor ?? 0
  if (amountMinor > 0)
    await desk.billing.invoices
      .credit(invoice.invoiceId, { amountMinor }, `withdraw:${id}`)
      .catch((error: unknown) => {
        if (!(error instanceof PaymentConflict)) throw error
      })
  await desk.billing.subscriptions.end(before.providerId)
  await desk.db.transaction(async (tx) => {
    const order = await holdOrder(tx, invoice.orderId)
    if (order && amountMinor > 0) await refundOrder(tx, desk, order, amountMinor, { quietly: true })
    await revokeFor(tx, id, { from: invoice.periodStart, until: invoice.periodEnd }, desk.clock.now())
  })
  const row = (await settleSubscription(desk, before.providerId)) ?? before
  const order = await findOrder(desk.db, invoice.orderId)
  await write(desk, row, (tx, { email, firstName }) =>
    queueMail(tx, {
      to: email,
      kind: 'membership_refunded',
      key: `membership_refunded:${id}`,
      data: {
        firstName,
        plan: PLANS[row.plan].name,
        amountMinor: order?.refundedMinor ?? amountMinor,
        orderNumber: order?.number ?? '',
        ended: true,
      },
    }),
  )
  return row
}
