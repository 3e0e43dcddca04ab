import type { Shop } from '../../shop.ts'
import { HOUR_MS, MINUTE_MS } from '#contract/durations.ts'
import { eachRow } from '../../db/in-pages.ts'
import { backOffMs, forEachDue, postponing } from '../../due-work/for-each-due.ts'
import type { Payment } from '../../integrations/stripe/payments.ts'
import {
  selectDisputed,
  updatePayment,
  lockOrder,
  selectOrder,
  selectOrderIdByIntent,
  selectLongWaiting,
  selectUndelivered,
  selectWaitingOfClosed,
} from '../orders/queries.ts'
import { LONGEST_DISPUTE_MS } from '../orders/refunds-and-disputes.ts'
import { recordAmountMismatch } from '../orders/payment-attempts.ts'
import { requestRefund, syncRefunds } from '../refunds/service.ts'
import { sendOrderRefund } from './refund-order-lines.ts'
import { abandon } from './service.ts'
import { settleBy, settleOrder } from './settle-payment.ts'
import { endClosedAccountsAtProvider } from '../membership/account-closing.ts'

/** By then the return page or the webhook should have reported the payment. */
const ASKED_AFTER_MS = 2 * MINUTE_MS
/** A bag that is not paid within a day is paid in another checkout, if at all. */
const ABANDONED_AFTER_MS = 24 * HOUR_MS
/** Longer than the provider repeats a failed webhook. */
const LOOKED_BACK_MS = 4 * 24 * HOUR_MS
/** A normal run looks back this far, to cover what the previous runs did not see. */
const LATELY_MS = 2 * HOUR_MS
const ORDERS_PER_RUN = 200

interface Reconciled {
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
  readonly signal: AbortSignal | undefined
}

/** Safe at any time, and on several servers at once. */
export async function reconcile(
  shop: Shop,
  lookBackMs = LOOKED_BACK_MS,
  signal?: AbortSignal,
): Promise<Reconciled> {
  const run: Run = { shop, report: { settled: 0, abandoned: 0, wrong: [], failed: 0 }, signal }
  const since = new Date(shop.clock.now().getTime() - lookBackMs)
  for (const step of [
    settleWaiting,
    (now: Run) => compareWithProvider(now, since),
    (now: Run) => settleReturned(now, since),
    settleDisputed,
    refundUndelivered,
  ])
    try {
      await step(run)
    } catch (error) {
      run.report.failed += 1
      shop.log.warn({ err: error }, 'a step of the reconciliation failed')
    }
  return run.report
}

async function settleWaiting(run: Run): Promise<void> {
  const { shop, report } = run
  const now = shop.clock.now()
  const before = new Date(now.getTime() - ASKED_AFTER_MS)
  await eachOrder(run, await selectLongWaiting(shop.db, { before, now }, ORDERS_PER_RUN), async (waiting) => {
    const { orderId, createdAt, intentId } = waiting
    if (now.getTime() - createdAt.getTime() > ABANDONED_AFTER_MS) {
      if (await abandon(shop, { id: orderId }, intentId)) report.abandoned += 1
    } else if (intentId !== null && (await settleOrder(shop, intentId)).outcome === 'paid')
      report.settled += 1
  })
}

async function compareWithProvider(run: Run, since: Date): Promise<void> {
  const { shop, report } = run
  await forEachDue(shop.payments.listPayments({ since }), (payment) => compare(shop, report, payment), {
    ...reporting(run),
    problem: 'a payment could not be compared with its order',
    about: ({ id }) => ({ intent: id }),
  })
}

async function compare(shop: Shop, report: Reconciled, payment: Payment): Promise<void> {
  if (payment.state !== 'paid' || !payment.metadata.order) return
  const before = await selectOrder(shop.db, payment.metadata.order)
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

/** Refunds of payments older than the run looks back, and full refunds that failed at the bank since. */
async function settleReturned(run: Run, since: Date): Promise<void> {
  const { shop } = run
  const settle = async (intentId: string) => {
    const orderId = await selectOrderIdByIntent(shop.db, intentId)
    const order = orderId === undefined ? undefined : await selectOrder(shop.db, orderId)
    if (!order) return
    const isNew = await syncRefunds(shop, intentId)
    if (isNew || order.refundedMinor < order.totalMinor) await settleOrder(shop, intentId)
  }
  await forEachDue(shop.payments.listReturned({ since }), settle, {
    ...reporting(run),
    problem: 'money that went back could not be compared',
    about: (intentId) => ({ intent: intentId }),
  })
}

/** A dispute may be decided months after it was opened, without a webhook event. */
async function settleDisputed(run: Run): Promise<void> {
  const { shop } = run
  const now = shop.clock.now()
  const disputed = eachRow(
    (page) => selectDisputed(shop.db, { since: new Date(now.getTime() - LONGEST_DISPUTE_MS), ...page }),
    ({ orderId }) => orderId,
  )
  await forEachDue(disputed, ({ intentId }) => settleOrder(shop, intentId), {
    ...reporting(run),
    problem: 'a dispute could not be compared',
    about: ({ orderId }) => ({ order: orderId }),
  })
}

async function refundUndelivered(run: Run): Promise<void> {
  const { shop } = run
  const now = shop.clock.now()
  await eachOrder(run, await selectUndelivered(shop.db, now, ORDERS_PER_RUN), async (line) => {
    const { id, orderId, priceMinor: amountMinor } = line
    const refund = await shop.db.transaction(async (tx) => {
      await lockOrder(tx, orderId)
      const refund = { reason: 'unneeded', key: `unneeded:${id}`, orderId, amountMinor } as const
      return requestRefund(tx, refund, now)
    })
    await sendOrderRefund(shop, refund.id)
  })
}

const reporting = ({ shop, report, signal }: Run) => ({
  log: shop.log,
  signal,
  onFailure: () => (report.failed += 1),
})

async function eachOrder<O extends { readonly orderId: string; readonly failures: number }>(
  run: Run,
  due: readonly O[],
  work: (order: O) => Promise<void>,
): Promise<void> {
  const { shop, report } = run
  await forEachDue(due, work, {
    ...reporting(run),
    problem: 'an order could not be reconciled',
    about: ({ orderId }) => ({ order: orderId }),
    onSuccess: ({ orderId }) =>
      updatePayment(shop.db, orderId, {
        checkedAt: shop.clock.now(),
        checkProblem: null,
        checkFailures: 0,
        checkAfter: null,
      }),
    async onFailure({ orderId, failures: before }, { error, isUnanswered }) {
      report.failed += 1
      const now = shop.clock.now()
      const failures = before + 1
      await updatePayment(shop.db, orderId, {
        checkedAt: now,
        checkProblem: String(error instanceof Error ? error.message : error).slice(0, 500),
        // An unreachable provider says nothing about the order.
        ...(isUnanswered
          ? { checkFailures: before, checkAfter: null }
          : { checkFailures: failures, checkAfter: new Date(now.getTime() + backOffMs(failures)) }),
      })
    },
  })
}

export function reconcileInTurn(shop: Shop): (signal?: AbortSignal) => Promise<void> {
  let lookedFarAt = -Infinity
  return async (signal) => {
    const now = shop.clock.now().getTime()
    const isFar = now - lookedFarAt >= HOUR_MS
    if (isFar) lookedFarAt = now
    const { wrong } = await reconcile(shop, isFar ? LOOKED_BACK_MS : LATELY_MS, signal)
    if (wrong.length > 0) shop.log.error({ payments: wrong }, 'payments and libraries disagree')
  }
}

const CLOSED_ORDERS_PER_RUN = 200

export async function closeAccountsAtProvider(shop: Shop, signal?: AbortSignal): Promise<void> {
  const orders = await selectWaitingOfClosed(shop.db, shop.clock.now(), CLOSED_ORDERS_PER_RUN)
  await forEachDue(orders, ({ orderId, intentId }) => abandon(shop, { id: orderId }, intentId), {
    log: shop.log,
    signal,
    problem: 'a payment of a closed account could not be cancelled',
    about: ({ orderId }) => ({ order: orderId }),
    ...postponing<(typeof orders)[number]>(shop, 'payment-of-closed-account', ({ orderId }) => orderId),
    toleratesOutage: true,
  })
  await endClosedAccountsAtProvider(shop, signal)
}
