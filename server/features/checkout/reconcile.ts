import { PaymentConflict, type Payments } from '../../outside/stripe/payments.ts'
import { selectLongWaiting, selectOrder, selectUndelivered, updatePayment } from '../orders/rules.ts'
import { abandon } from './rules.ts'
import { settleBy, settleOrder, type Till } from './settle.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** By then the return page and the webhook had their chance. */
const ASKED_AFTER_MS = 2 * MINUTE_MS
/** A bag that is not paid within a day is paid by another checkout, if at all. */
const ABANDONED_AFTER_MS = 24 * HOUR_MS
/** Longer than the provider repeats a webhook that failed. */
const LOOKED_BACK_MS = 4 * 24 * HOUR_MS
/** Of a usual run: what the last ones did not see yet. */
const LATELY_MS = 2 * HOUR_MS
const AT_ONCE = 200

export interface Reconciled {
  settled: number
  abandoned: number
  /** Payments whose money is not what the shelf says, even after this run: somebody must look. */
  readonly wrong: string[]
}

/**
 * Makes money and shelf agree again, whatever crashed, got lost or was never sent: asks the provider about every order
 * that waits, and compares what it was paid with what was delivered. Safe at any time, and on several
 * instances at once.
 */
export async function reconcile(till: Till, lookBackMs = LOOKED_BACK_MS): Promise<Reconciled> {
  const report: Reconciled = { settled: 0, abandoned: 0, wrong: [] }
  await askAboutWaiting(till, report)
  await compareWithProvider(till, report, new Date(till.now().getTime() - lookBackMs))
  await giveBackUnneeded(till)
  return report
}

async function askAboutWaiting(till: Till, report: Reconciled): Promise<void> {
  const now = till.now().getTime()
  const before = new Date(now - ASKED_AFTER_MS)
  for (const { orderId, createdAt, intentId } of await selectLongWaiting(till.db, before, AT_ONCE)) {
    const isOld = now - createdAt.getTime() > ABANDONED_AFTER_MS
    if (isOld) {
      if (await abandon(till, { id: orderId }, intentId)) report.abandoned += 1
    } else if (intentId !== null && (await settleOrder(till, intentId)).outcome === 'paid')
      report.settled += 1
    await updatePayment(till.db, orderId, { checkedAt: till.now() })
  }
}

async function compareWithProvider(till: Till, report: Reconciled, since: Date): Promise<void> {
  for await (const payment of till.payments.listPayments({ since })) {
    if (payment.state !== 'paid' || !payment.metadata.order) continue
    const before = await selectOrder(till.db, payment.metadata.order)
    const backMinor = payment.disputed ? payment.amountMinor : payment.refundedMinor
    const agrees = before?.state === 'paid' && before.refundedMinor >= backMinor
    if (agrees) continue
    const { order, outcome } = await settleBy(till, payment)
    if (outcome === 'paid' && order) report.settled += 1
    else report.wrong.push(payment.id)
  }
}

/** What a buyer had by the time it was paid, and what an account was deleted before: the money goes back. */
async function giveBackUnneeded(till: Till): Promise<void> {
  for (const { line, intentId } of await selectUndelivered(till.db, AT_ONCE)) {
    await refund(till.payments, intentId!, line.priceMinor, `unneeded:${line.id}`)
    await settleOrder(till, intentId!)
  }
}

async function refund(
  payments: Payments,
  intentId: string,
  amountMinor: number,
  once: string,
): Promise<void> {
  await payments.refundPayment(intentId, { amountMinor }, once).catch((error: unknown) => {
    // Nothing is left to give back: it went back another way.
    if (!(error instanceof PaymentConflict)) throw error
  })
}

/** Runs it soon, every few minutes, and looks back far once an hour; a run that fails is made up for by the next. */
export function reconcileRegularly(shop: Till, everyMs = 5 * MINUTE_MS): () => void {
  // A shop without keys has nobody to ask.
  if (shop.payments.publishableKey === '') return () => undefined
  let turn = 0
  let timer = setTimeout(run, Math.min(everyMs, 15_000)).unref()
  function run(): void {
    const isWhole = (turn++ * everyMs) % HOUR_MS < everyMs
    void reconcile(shop, isWhole ? LOOKED_BACK_MS : LATELY_MS)
      .then(({ wrong }) => {
        if (wrong.length > 0) shop.log.error({ payments: wrong }, 'money and shelf disagree')
      })
      .catch((error: unknown) => shop.log.warn({ err: error }, 'the reconciliation failed'))
      .finally(() => (timer = setTimeout(run, everyMs).unref()))
  }
  return () => clearTimeout(timer)
}
