import { planInWords } from '#contract/plans.ts'
import { mailMember } from './mail-member.ts'
import type { PaidBy } from '../../integrations/stripe/invoices.ts'
import type { Payment } from '../../integrations/stripe/payments.ts'
import type { Shop } from '../../shop.ts'
import { changeSubscription } from './subscription-state.ts'
import { mailDispute, recordDispute, refundOrder, restoreOrder } from '../orders/refunds-and-disputes.ts'
import { recordRefusedAttempt } from '../orders/payment-attempts.ts'
import { closeRefund, sendRefund } from '../refunds/service.ts'
import type { RefundRow } from '../refunds/queries.ts'
import { returnedPeriods } from './provider-state.ts'
import { nextSyncNumber, selectByProvider, selectInvoice } from './billing-queries.ts'
import { syncMembershipOfInvoice, syncSubscription } from './sync-subscription.ts'
import { lockSubscription } from './queries.ts'
import { revokeCredits } from './credit-queries.ts'
import { lockOrder, selectOrder } from '../orders/queries.ts'

/**
 * A full refund or lost dispute ends the membership; an open dispute suspends it, and a won one restores it.
 * @returns undefined if the payment belongs to the checkout
 */
export const syncInvoicePayment = async (shop: Shop, paymentId: string): Promise<Payment | undefined> =>
  (await syncPaidInvoice(shop, paymentId))?.payment

export async function syncPaidInvoice(shop: Shop, paymentId: string): Promise<PaidBy | null> {
  const paid = await shop.billing.invoices.paidBy(paymentId)
  if (paid === null) return null
  const { invoice, subscription, payment } = paid
  if (subscription !== null) {
    await syncSubscription(shop, subscription, payment)
    const subscriptionId = (await selectByProvider(shop.db, subscription))?.id
    if (payment.refusal)
      await recordRefusedAttempt(shop, { subscriptionId, intentId: payment.id }, payment.refusal)
  }
  await syncRefundsAndDispute(shop, invoice, payment)
  return paid
}

/** A newer query by another server has been stored: fetch the payment again. */
const OLD = Symbol('old')

async function syncRefundsAndDispute(shop: Shop, invoiceId: string, asked: Payment): Promise<void> {
  const sold = await selectInvoice(shop.db, invoiceId)
  if (!sold) return
  const seenMinor = (await selectOrder(shop.db, sold.orderId))?.refundedMinor ?? 0
  // A smaller refund than recorded may be an out-of-date copy. A payment fetched after reading the row is not.
  const isLess = asked.refundedMinor < seenMinor
  const payment = isLess ? await shop.payments.retrievePayment(asked.id) : asked
  // Take the number before querying the dispute: a query with a higher number has a newer answer.
  const settlement = payment.disputed ? await nextSyncNumber(shop.db) : null
  const details = payment.disputed ? await shop.payments.disputeDetailsOf(payment.id) : null
  const dispute = details?.state ?? 'none'
  const isWon = dispute === 'won'
  const isLost = dispute === 'lost'
  const isDisputed = payment.disputed && !isWon
  // A won dispute restores only what it revoked, and nothing while another dispute of the membership is open or lost.
  const others = isWon ? await returnedPeriods(shop, sold.subscriptionId, invoiceId) : []
  const isRestored = isWon && !others.some((other) => other.isDisputed)
  let hasOvertaken = false
  const ended = await shop.db.transaction(async (tx) => {
    const row = await lockSubscription(tx, sold.subscriptionId)
    const order = await lockOrder(tx, sold.orderId)
    if (!row || !order) return null
    if (settlement !== null) {
      if (row.settlement !== null && row.settlement > settlement) return OLD
      // If the stored number is the one directly before ours, no other query was running in between.
      hasOvertaken = row.settlement !== settlement - 1
      await changeSubscription(tx, row.id, { settlement })
    }
    if (details) {
      const state = details.state === 'none' ? 'open' : details.state
      const news = await recordDispute(tx, order, { ...details, state }, shop.clock.now())
      const plan = planInWords(shop.config.details.plans[row.plan])
      if (news) await mailDispute(tx, order, news, { titles: [], plan, now: shop.clock.now() })
    }
    const span = { from: sold.periodStart, until: sold.periodEnd }
    // After a lost dispute the bank has the money, but the provider lists no refund.
    const backMinor = isLost ? order.totalMinor : payment.refundedMinor
    if (isDisputed) {
      if (row.suspendedAt === null) await changeSubscription(tx, row.id, { suspendedAt: shop.clock.now() })
      await revokeCredits(tx, row.id, span, shop.clock.now())
    }
    if (isRestored && row.suspendedAt !== null) await changeSubscription(tx, row.id, { suspendedAt: null })
    if (isWon && row.withdrawnAt === null && backMinor < order.totalMinor) {
      await revokeCredits(tx, row.id, span, null)
      for (const other of others) await revokeCredits(tx, row.id, other.span, shop.clock.now())
    }
    const isWhole = backMinor >= order.totalMinor && order.totalMinor > 0
    // Also if the refund was recorded before, by a server that died before it called the provider.
    const ends = isWhole && row.status !== 'canceled' ? row.providerId : null
    // A refund failed at the bank, so the order is restored. A membership that has ended stays ended.
    if (isLess && backMinor < order.refundedMinor && order.refundedMinor === seenMinor)
      await restoreOrder(tx, shop, order, backMinor)
    if (backMinor <= order.refundedMinor) return ends
    await refundOrder(tx, shop, order, backMinor, { quietly: true })
    if (isWhole) await revokeCredits(tx, row.id, span, shop.clock.now())
    const refundedNow = payment.refundedMinor - order.refundedMinor
    // Not for a dispute: the customer knows about that money, and gets the email that the membership has ended.
    if (row.withdrawnAt === null && refundedNow > 0)
      await mailMember(tx, row.userId, ({ firstName }) => ({
        kind: 'membership_refunded',
        key: `membership_refunded:${order.id}:${payment.refundedMinor}`,
        data: {
          firstName,
          plan: planInWords(shop.config.details.plans[row.plan]),
          amountMinor: refundedNow,
          orderNumber: order.number,
          ended: isWhole,
        },
      }))
    return ends
  })
  if (ended === OLD)
    return syncRefundsAndDispute(shop, invoiceId, await shop.payments.retrievePayment(payment.id))
  // Our number made an earlier sync discard its answer, so sync once more.
  if (ended === null) return hasOvertaken ? syncMembershipOfInvoice(shop, invoiceId) : undefined
  await shop.billing.subscriptions.end(ended)
  await syncMembershipOfInvoice(shop, invoiceId)
}

export async function sendMembershipRefund(shop: Shop, { id }: RefundRow): Promise<void> {
  const refund = await sendRefund(shop, id)
  const { paymentId, invoiceId, orderId } = refund
  if (paymentId !== null) {
    const payment = await shop.payments.retrievePayment(paymentId)
    if (invoiceId !== null) await syncRefundsAndDispute(shop, invoiceId, payment)
    else if (orderId !== null)
      await shop.db.transaction(async (tx) => {
        const order = await lockOrder(tx, orderId)
        if (order) await refundOrder(tx, shop, order, payment.refundedMinor)
      })
  }
  await closeRefund(shop, refund)
}
