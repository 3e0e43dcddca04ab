import { PLANS } from '#contract/plans.ts'
import { queueMail } from '../../outside/mail/queue.ts'
import type { Payment } from '../../outside/stripe/payments.ts'
import { revokeFor } from '../membership/rules.ts'
import { holdOrder, refundOrder } from '../orders/rules.ts'
import type { Desk } from './desk.ts'
import { lockSubscription, selectInvoice, selectPerson, updateSubscription } from './rows.ts'
import { handedOut } from './secrets.ts'
import { settleInvoice } from './settle.ts'

/**
 * Somebody comes back from the payment of a membership, with the secret that they were given; undefined for a stranger. What
 * became of it is told by the provider.
 */
export async function comeBackToMembership(
  desk: Desk,
  { intentId, clientSecret }: { readonly intentId: string; readonly clientSecret: string },
): Promise<{ payment: Payment; subscriptionId: string; userId: string | null } | undefined> {
  const known = await handedOut(desk.db, intentId, clientSecret)
  if (!known) return undefined
  await settleInvoicePayment(desk, intentId)
  const { subscriptionId, userId } = known
  return { payment: await desk.payments.retrievePayment(intentId), subscriptionId, userId }
}

/**
 * A payment of an invoice, told by the provider: settled as the membership that it pays, and given back here where its money
 * went back there. A part of it changes nothing else; all of it ends the membership and what is not spent (docs/product.md,
 * Memberships). A dispute suspends, and a won one restores.
 *
 * @returns false for a payment of the till
 */
export async function settleInvoicePayment(desk: Desk, paymentId: string): Promise<boolean> {
  const invoiceId = await desk.billing.invoices.paidBy(paymentId)
  if (invoiceId === null) return false
  await settleInvoice(desk, invoiceId)
  await giveBack(desk, invoiceId, await desk.payments.retrievePayment(paymentId))
  return true
}

async function giveBack(desk: Desk, invoiceId: string, payment: Payment): Promise<void> {
  const sold = await selectInvoice(desk.db, invoiceId)
  if (!sold) return
  const isDisputed = payment.disputed && (await desk.payments.disputeOf(payment.id)) !== 'won'
  const ended = await desk.db.transaction(async (tx) => {
    const row = await lockSubscription(tx, sold.subscriptionId)
    const order = await holdOrder(tx, sold.orderId)
    if (!row || !order) return null
    const span = { from: sold.periodStart, until: sold.periodEnd }
    const isSuspended = row.suspendedAt !== null
    if (isDisputed !== isSuspended) {
      await updateSubscription(tx, row.id, { suspendedAt: isDisputed ? desk.clock.now() : null })
      await revokeFor(tx, row.id, span, isDisputed ? desk.clock.now() : null)
    }
    const backMinor = payment.refundedMinor
    if (backMinor <= order.refundedMinor) return null
    await refundOrder(tx, desk, order, backMinor, { quietly: true })
    const isWhole = backMinor >= order.totalMinor
    if (isWhole) await revokeFor(tx, row.id, span, desk.clock.now())
    const person = row.userId === null ? undefined : await selectPerson(tx, row.userId)
    if (person && row.withdrawnAt === null)
      await queueMail(tx, {
        to: person.email,
        kind: 'membership_refunded',
        key: `membership_refunded:${order.id}:${backMinor}`,
        data: {
          firstName: person.firstName,
          plan: PLANS[row.plan].name,
          amountMinor: backMinor - order.refundedMinor,
          orderNumber: order.number,
          ended: isWhole,
        },
      })
    return isWhole ? row.providerId : null
  })
  if (ended === null) return
  await desk.billing.subscriptions.end(ended)
  await settleInvoice(desk, invoiceId)
}
