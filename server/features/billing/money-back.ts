import { DAY_MS } from '#contract/durations.ts'
import { planInWords } from '#contract/plans.ts'
import { queueMail } from '../../outside/mail/queue.ts'
import type { PaidBy } from '../../outside/stripe/invoices.ts'
import type { Payment } from '../../outside/stripe/payments.ts'
import { NotAtProvider, PaymentsUnavailable } from '../../outside/stripe/problems.ts'
import { memberOf, revokeFor } from '../membership/rules.ts'
import { findOrder, holdOrder, refundOrder, restoreOrder } from '../orders/rules.ts'
import { writeCreditNotes } from '../refunds/rules.ts'
import { askedBack } from './asked-back.ts'
import type { Desk } from './desk.ts'
import {
  lockSubscription,
  nextSettlement,
  selectInvoice,
  selectInvoices,
  selectSuspended,
  updateSubscription,
} from './rows.ts'
import { findBySecret } from './secrets.ts'
import { settleInvoice, settleSubscription } from './settle.ts'

/**
 * Somebody comes back from the payment of a membership, with the secret that they were given; undefined for a
 * stranger. The provider says what became of it.
 */
export async function comeBackToMembership(
  desk: Desk,
  { intentId, clientSecret }: { readonly intentId: string; readonly clientSecret: string },
): Promise<{ payment: Payment; subscriptionId: string; userId: string | null } | undefined> {
  const known = await findBySecret(desk.db, intentId, clientSecret)
  if (!known) return undefined
  const paid = await settleInvoicePayment(desk, intentId)
  const { subscriptionId, userId } = known
  return { payment: paid ?? (await desk.payments.retrievePayment(intentId)), subscriptionId, userId }
}

/**
 * A payment of an invoice, told by the provider: settled as the membership that it pays, and given back here where its money
 * went back there. A part of it changes nothing else; all of it ends the membership and what is not spent (docs/product.md,
 * Memberships). A dispute suspends, a won one restores, and a lost one is all of it: nobody goes on paying for nothing.
 *
 * @returns as it is; undefined for a payment of the till
 */
export const settleInvoicePayment = async (desk: Desk, paymentId: string): Promise<Payment | undefined> =>
  (await settlePaid(desk, paymentId))?.payment

async function settlePaid(desk: Desk, paymentId: string): Promise<PaidBy | null> {
  const paid = await desk.billing.invoices.paidBy(paymentId)
  if (paid === null) return null
  const { invoice, subscription, payment } = paid
  if (subscription !== null) await settleSubscription(desk, subscription, payment)
  await giveBack(desk, invoice, payment)
  return paid
}

/** Another server asked later and was answered sooner: it is asked again. */
const OLD = Symbol('old')

/** Of a payment that was asked about just now. */
export async function giveBack(desk: Desk, invoiceId: string, asked: Payment): Promise<void> {
  const sold = await selectInvoice(desk.db, invoiceId)
  if (!sold) return
  const seenMinor = (await findOrder(desk.db, sold.orderId))?.refundedMinor ?? 0
  // Less than was noted may be an old answer; what is said after this is none.
  const isLess = asked.refundedMinor < seenMinor
  const payment = isLess ? await desk.payments.retrievePayment(asked.id) : asked
  // Taken before the bank's word is asked for: whoever takes a higher number has a newer one.
  const asking = payment.disputed ? await nextSettlement(desk.db) : null
  const dispute = payment.disputed ? await desk.payments.disputeOf(payment.id) : 'none'
  const isWon = dispute === 'won'
  const isLost = dispute === 'lost'
  const isDisputed = payment.disputed && !isWon
  // Only what a dispute took is given back by its end: another payment says nothing of it, nor does one of two.
  const others = isWon ? await askedBack(desk, sold.subscriptionId, invoiceId) : []
  const isRestored = isWon && !others.some(({ isDisputed: standsElsewhere }) => standsElsewhere)
  let hasGivenWay = false
  const ended = await desk.db.transaction(async (tx) => {
    const row = await lockSubscription(tx, sold.subscriptionId)
    const order = await holdOrder(tx, sold.orderId)
    if (!row || !order) return null
    if (asking !== null) {
      if (row.settledBy !== null && row.settledBy > asking) return OLD
      // With no number between the last answer and ours, nobody else is under way.
      hasGivenWay = row.settledBy !== asking - 1
      await updateSubscription(tx, row.id, { settledBy: asking })
    }
    const span = { from: sold.periodStart, until: sold.periodEnd }
    // The bank took it: no refund at the provider tells of that.
    const backMinor = isLost ? order.totalMinor : payment.refundedMinor
    if (isDisputed) {
      if (row.suspendedAt === null) await updateSubscription(tx, row.id, { suspendedAt: desk.clock.now() })
      await revokeFor(tx, row.id, span, desk.clock.now())
    }
    if (isRestored && row.suspendedAt !== null) await updateSubscription(tx, row.id, { suspendedAt: null })
    if (isWon && row.withdrawnAt === null && backMinor < order.totalMinor) {
      await revokeFor(tx, row.id, span, null)
      for (const other of others) await revokeFor(tx, row.id, other.span, desk.clock.now())
    }
    const isWhole = backMinor >= order.totalMinor && order.totalMinor > 0
    // Also where it was noted before, by a server that died on the way to the provider.
    const ends = isWhole && row.status !== 'canceled' ? row.providerId : null
    // A bank did not take a refund after all; what has ended stays so.
    if (isLess && backMinor < order.refundedMinor && order.refundedMinor === seenMinor)
      await restoreOrder(tx, desk, order, backMinor)
    if (backMinor <= order.refundedMinor) return ends
    await refundOrder(tx, desk, order, backMinor, { quietly: true })
    if (isWhole) await revokeFor(tx, row.id, span, desk.clock.now())
    const person = row.userId === null ? undefined : await memberOf(tx, row.userId)
    const refundedNow = payment.refundedMinor - order.refundedMinor
    // Money that a bank took is no refund of ours: its customer knows of it, and is written to that the membership
    // has ended.
    if (person && row.withdrawnAt === null && refundedNow > 0)
      await queueMail(tx, {
        to: person.email,
        kind: 'membership_refunded',
        key: `membership_refunded:${order.id}:${payment.refundedMinor}`,
        data: {
          firstName: person.firstName,
          plan: planInWords(row.plan),
          amountMinor: refundedNow,
          orderNumber: order.number,
          ended: isWhole,
        },
      })
    return ends
  })
  if (ended === OLD) return giveBack(desk, invoiceId, await desk.payments.retrievePayment(payment.id))
  // A caller that asked about the membership before us, and is answered after us, gives way to our number.
  if (ended === null) return hasGivenWay ? settleInvoice(desk, invoiceId) : undefined
  await desk.billing.subscriptions.end(ended)
  await settleInvoice(desk, invoiceId)
}

async function paymentsOf(desk: Desk, subscriptionId: string): Promise<string[]> {
  const payments: string[] = []
  for (const { invoiceId } of await selectInvoices(desk.db, subscriptionId)) {
    const { payment } = await desk.billing.invoices.retrieve(invoiceId)
    if (payment !== null) payments.push(payment)
  }
  return payments
}

/** A notice that was lost while the shop was closed for weeks is found too. */
const LOOKED_BACK_MS = 30 * DAY_MS

/** A bank has decided by then; what it decided against us stays as it is. */
const LONGEST_DISPUTE_MS = 150 * DAY_MS

/** Catches what notices did not tell: money that went back lately, and disputes that were decided since. */
export async function reconcileMoneyBack(desk: Desk, isOver: () => boolean): Promise<void> {
  const now = desk.clock.now()
  const since = new Date(now.getTime() - LOOKED_BACK_MS)
  for await (const payment of desk.payments.listReturned({ since })) {
    if (isOver()) return
    await settleReturned(desk, payment)
  }
  for (const { id } of await selectSuspended(desk.db, new Date(now.getTime() - LONGEST_DISPUTE_MS)))
    for (const payment of await paymentsOf(desk, id)) {
      if (isOver()) return
      await settleReturned(desk, payment)
    }
}

/** A bad one stops no other. A refund made by hand in the provider's dashboard gets its credit note here. */
async function settleReturned(desk: Desk, payment: string): Promise<void> {
  const paid = await settlePaid(desk, payment).catch((error: unknown) => {
    if (error instanceof PaymentsUnavailable) throw error
    if (!(error instanceof NotAtProvider))
      desk.log.warn({ err: error, payment }, 'money that went back could not be compared')
    return null
  })
  if (paid && paid.payment.refundedMinor > paid.creditedMinor) await writeCreditNotes(desk, paid.invoice)
}
