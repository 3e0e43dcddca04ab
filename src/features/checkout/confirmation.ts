import type { PaymentOutcome } from '#contract/checkout.ts'
import type { Order, OrderMember } from '#contract/orders.ts'
import { isPaid, justPaid } from '#features/orders/model.ts'
import { askNewestOrders, askOrder } from '#features/orders/queries.ts'
import { askPayment } from './calls.ts'
import { intentOf } from './pay.ts'

/** ORDER-02: how long we wait for an order, unless the buyer was sent to another page. */
export const ORDER_TIMEOUT_MS = 30_000
/** The pause between questions, and so the delay that a lost message costs (ORDER-07). */
export const ASK_EVERY_MS = 2_000

export interface Waiting {
  /** The checkout's or the return address's knowledge of it. */
  readonly order: string | undefined
  readonly secret: string | undefined
  /** The buyer comes back from PayPal, whose banks may take longer (ORDER-11). */
  readonly redirected: boolean
  /** The provider's hint for words. */
  readonly hint: string | undefined
  readonly signedIn: boolean
}

/**
 * The states of a confirmation page. `paid`: of somebody who is not logged in here, or of another account: that it
 * was paid, and nothing else (ROLE-22).
 */
export type Confirmed =
  | { readonly is: 'order'; readonly order: Order | OrderMember }
  | { readonly is: 'paid' }
  | { readonly is: 'refused' }
  | { readonly is: 'paypal-problem' }

/** Asks once; undefined while the outcome is unknown. Never throws, since it is asked again. */
export async function askOnce(waiting: Waiting): Promise<Confirmed | undefined> {
  if (waiting.secret) {
    const found = await askPaid(waiting, waiting.secret).catch(() => 'silent' as const)
    if (found !== 'silent') return found
  }
  // Even when we cannot ask about the payment, its order may already exist.
  return waiting.signedIn ? askShop(waiting).catch(() => undefined) : undefined
}

async function askPaid(waiting: Waiting, secret: string): Promise<Confirmed | undefined> {
  const { outcome, order } = await askPayment(intentOf(secret), secret)
  if (outcome !== 'paid') return notPaid(outcome, waiting)
  if (!order || !waiting.signedIn) return { is: 'paid' }
  return { is: 'order', order: await askOrder(order) }
}

async function askShop(waiting: Waiting): Promise<Confirmed | undefined> {
  if (waiting.order) {
    const order = await askOrder(waiting.order)
    return isPaid(order) ? { is: 'order', order } : undefined
  }
  // A return address that names a payment waits for that one, not for whatever was paid last.
  if (waiting.secret) return undefined
  const newest = justPaid((await askNewestOrders())['hydra:member'], Date.now())
  return newest && { is: 'order', order: newest }
}

/** The address's `failed` only chooses words; whether it was paid was asked before (trap 26, ORDER-04). */
function notPaid(outcome: PaymentOutcome, { redirected, hint }: Waiting): Confirmed | undefined {
  if (outcome === 'checking') return undefined
  if (redirected && (hint === 'failed' || outcome !== 'open')) return { is: 'paypal-problem' }
  // Back from PayPal without having decided there: nothing was taken.
  if (redirected && hint === 'canceled') return { is: 'paypal-problem' }
  return outcome === 'open' ? undefined : { is: 'refused' }
}
