import type { Shop } from '../../shop.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import type { Payment } from '../../integrations/stripe/payments.ts'
import { PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import { findOrder, lockOrderOf } from '../orders/service.ts'
import {
  type Due,
  linesUndelivered,
  noteChecked,
  noteUnchecked,
  orderOfIntent,
  ordersDisputed,
  ordersWaiting,
} from '../orders/payment-intents.ts'
import { recordAmountMismatch } from '../orders/payment-attempts.ts'
import { askForRefund } from '../refunds/service.ts'
import { settleRefunds } from '../refunds/send-refund.ts'
import { sendOrderRefund } from './send-due-refunds.ts'
import { abandon } from './service.ts'
import { settleBy, settleOrder } from './settle-payment.ts'

/** By then the return page or the webhook should have reported the payment. */
const ASKED_AFTER_MS = 2 * MINUTE_MS
/** A bag that is not paid within a day is paid in another checkout, if at all. */
const ABANDONED_AFTER_MS = 24 * HOUR_MS
/** Longer than the provider repeats a failed webhook. */
const LOOKED_BACK_MS = 4 * 24 * HOUR_MS
/** A normal run looks back this far, to cover what the previous runs did not see. */
const LATELY_MS = 2 * HOUR_MS
const BATCH_SIZE = 200

/** Pause for an order that can't be checked or refunded. Doubles with each consecutive failure. */
const FIRST_PAUSE_MS = 5 * MINUTE_MS
const LONGEST_PAUSE_MS = 24 * HOUR_MS
/** This many consecutive calls without an answer mean that the provider is down. */
const MAX_UNANSWERED = 3

export interface Reconciled {
  settled: number
  abandoned: number
  /** Ids of payments that still don't match their orders after this run: the owner must check them. */
  readonly wrong: string[]
  /** Payments that could not be checked. They are tried again after growing pauses, and don't delay others. */
  failed: number
}

interface Run {
  readonly shop: Shop
  readonly report: Reconciled
  /** The shop is closing: finish what is under way and start nothing else. */
  readonly isOver: () => boolean
}

/**
 * Makes payments and libraries consistent after crashes and lost events: queries the provider about every waiting
 * order, and compares what was paid with what was delivered. Safe at any time, and on several servers at once.
 */
export async function reconcile(
  shop: Shop,
  lookBackMs = LOOKED_BACK_MS,
  isOver: Run['isOver'] = () => false,
): Promise<Reconciled> {
  const run: Run = { shop, report: { settled: 0, abandoned: 0, wrong: [], failed: 0 }, isOver }
  const since = new Date(shop.clock.now().getTime() - lookBackMs)
  for (const step of [
    askAboutWaiting,
    (now: Run) => compareWithProvider(now, since),
    (now: Run) => settleReturned(now, since),
    settleDisputed,
    giveBackUnneeded,
  ])
    try {
      await step(run)
    } catch (error) {
      run.report.failed += 1
      shop.log.warn({ err: error }, 'a step of the reconciliation failed')
    }
  return run.report
}

async function askAboutWaiting(run: Run): Promise<void> {
  const { shop, report } = run
  const now = shop.clock.now()
  const before = new Date(now.getTime() - ASKED_AFTER_MS)
  await eachOrder(run, await ordersWaiting(shop.db, { before, now }, BATCH_SIZE), async (waiting) => {
    const { orderId, createdAt, intentId } = waiting
    if (now.getTime() - createdAt.getTime() > ABANDONED_AFTER_MS) {
      if (await abandon(shop, { id: orderId }, intentId)) report.abandoned += 1
    } else if (intentId !== null && (await settleOrder(shop, intentId)).outcome === 'paid')
      report.settled += 1
  })
}

async function compareWithProvider({ shop, report, isOver }: Run, since: Date): Promise<void> {
  for await (const payment of shop.payments.listPayments({ since })) {
    if (isOver()) return
    try {
      await compare(shop, report, payment)
    } catch (error) {
      report.failed += 1
      shop.log.warn({ err: error, intent: payment.id }, 'a payment could not be compared with its order')
    }
  }
}

async function compare(shop: Shop, report: Reconciled, payment: Payment): Promise<void> {
  if (payment.state !== 'paid' || !payment.metadata.order) return
  const before = await findOrder(shop.db, payment.metadata.order)
  const isKnown = before?.disputedAt || before?.refundedMinor === before?.totalMinor
  const isNew = (payment.disputed && !isKnown) || (before?.refundedMinor ?? 0) < payment.refundedMinor
  if (before?.state === 'paid' && !isNew) return
  const { order, outcome } = await settleBy(shop, payment)
  if (outcome === 'paid' && order) {
    report.settled += 1
    return
  }
  if (payment.refundedMinor >= payment.amountMinor) return
  if (!order) await recordAmountMismatch(shop, { intentId: payment.id }, 'unknown_order')
  report.wrong.push(payment.id)
}

/**
 * A recent refund, made here or in the provider's dashboard, may concern a payment that is older than the run looks
 * back. And a full refund may have failed at the bank since.
 */
async function settleReturned({ shop, report, isOver }: Run, since: Date): Promise<void> {
  for await (const intentId of shop.payments.listReturned({ since })) {
    if (isOver()) return
    try {
      const orderId = await orderOfIntent(shop.db, intentId)
      const order = orderId === undefined ? undefined : await findOrder(shop.db, orderId)
      if (!order) continue
      const isNew = await settleRefunds(shop, intentId)
      if (isNew || order.refundedMinor < order.totalMinor) await settleOrder(shop, intentId)
    } catch (error) {
      if (error instanceof PaymentsUnavailable) throw error
      report.failed += 1
      shop.log.warn({ err: error, intent: intentId }, 'money that went back could not be compared')
    }
  }
}

/** A dispute may be decided months after it was opened, without a webhook event. */
async function settleDisputed({ shop, report, isOver }: Run): Promise<void> {
  for (const { orderId, intentId } of await ordersDisputed(shop.db, shop.clock.now())) {
    if (isOver()) return
    try {
      await settleOrder(shop, intentId)
    } catch (error) {
      if (error instanceof PaymentsUnavailable) throw error
      report.failed += 1
      shop.log.warn({ err: error, order: orderId }, 'a dispute could not be compared')
    }
  }
}

/** Refunds lines that the buyer had already, and lines of an account that was deleted during the payment. */
async function giveBackUnneeded(run: Run): Promise<void> {
  const { shop } = run
  const now = shop.clock.now()
  await eachOrder(run, await linesUndelivered(shop.db, now, BATCH_SIZE), async (line) => {
    const { id, orderId, priceMinor: amountMinor } = line
    const refund = await shop.db.transaction(async (tx) => {
      await lockOrderOf(tx, orderId)
      const refund = { reason: 'unneeded', key: `unneeded:${id}`, orderId, amountMinor } as const
      return askForRefund(tx, refund, now)
    })
    await sendOrderRefund(shop, refund.id)
  })
}

/** A failing order does not stop the others. Its error is stored with it, and its pauses grow. */
async function eachOrder<O extends Due>(
  { shop, report, isOver }: Run,
  due: readonly O[],
  work: (order: O) => Promise<void>,
): Promise<void> {
  let unanswered = 0
  for (const order of due) {
    if (isOver()) return
    try {
      await work(order)
      unanswered = 0
      await noteChecked(shop.db, order.orderId, shop.clock.now())
    } catch (error) {
      report.failed += 1
      shop.log.warn({ err: error, order: order.orderId }, 'an order could not be reconciled')
      const isSilent = error instanceof PaymentsUnavailable
      unanswered = isSilent ? unanswered + 1 : 0
      await noteUnchecked(shop.db, order.orderId, shop.clock.now(), {
        checkProblem: String(error instanceof Error ? error.message : error).slice(0, 500),
        // An unreachable provider says nothing about the order.
        ...(isSilent
          ? { checkFailures: order.failures, checkAfter: null }
          : pauseAfter(order.failures + 1, shop.clock.now())),
      })
      if (unanswered === MAX_UNANSWERED) throw error
    }
  }
}

function pauseAfter(failures: number, now: Date) {
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1))
  return { checkFailures: failures, checkAfter: new Date(now.getTime() + pauseMs) }
}

export function reconcileInTurn(shop: Shop): (isOver: Run['isOver']) => Promise<void> {
  let lookedFarAt = -Infinity
  return async (isOver) => {
    const now = shop.clock.now().getTime()
    const isFar = now - lookedFarAt >= HOUR_MS
    if (isFar) lookedFarAt = now
    const { wrong } = await reconcile(shop, isFar ? LOOKED_BACK_MS : LATELY_MS, isOver)
    if (wrong.length > 0) shop.log.error({ payments: wrong }, 'payments and libraries disagree')
  }
}
