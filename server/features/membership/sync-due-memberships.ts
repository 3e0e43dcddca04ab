import { DAY_MS } from '#contract/durations.ts'
import { NotAtProvider, PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { noteChecked } from './subscription-state.ts'
import { settleRefunds, writeCreditNotes } from '../refunds/send-refund.ts'
import { forgetAtProvider } from './closed-accounts.ts'
import { settlePaid } from './membership-refunds.ts'
import {
  selectContradicted,
  selectInvoices,
  selectNow,
  selectSuspended,
  selectUnchecked,
} from './billing-queries.ts'
import { settleSubscription } from './sync-subscription.ts'

const BATCH_SIZE = 100

/**
 * This many consecutive calls without an answer mean that the provider is down; a single one may concern one object
 * only.
 */
const MAX_UNANSWERED = 10

/** Finds everything that no webhook event reported, by checking all memberships and the recent refunds and disputes. */
export async function reconcileMemberships(shop: Shop, isOver: () => boolean = () => false): Promise<void> {
  await sweepMemberships(shop, await selectNow(shop.db), isOver)
  await reconcileMoneyBack(shop, isOver)
}

/**
 * Syncs every running membership that was not checked since `since`. Those that waited longest come first, so that the
 * next run continues an interrupted one. A failure is logged and does not stop the others.
 */
export async function sweepMemberships(
  shop: Shop,
  since: string,
  isOver: () => boolean = () => false,
): Promise<void> {
  let unanswered = 0
  for (;;) {
    const rows = await selectUnchecked(shop.db, since, BATCH_SIZE)
    for (const { id, providerId } of rows) {
      if (isOver()) return
      try {
        const row = await settleSubscription(shop, providerId!)
        if (row?.userId === null) await forgetAtProvider(shop, providerId!)
        unanswered = 0
      } catch (error) {
        unanswered = error instanceof PaymentsUnavailable ? unanswered + 1 : 0
        if (unanswered === MAX_UNANSWERED) throw error
        if (!(error instanceof NotAtProvider))
          shop.log.warn({ err: error, subscription: id }, 'a membership could not be reconciled')
      }
      await noteChecked(shop.db, id)
    }
    if (rows.length < BATCH_SIZE) break
  }
  // Memberships that are over here but not at the provider, until the owner has resolved that with the provider.
  for (const { id, providerId } of await selectContradicted(shop.db, BATCH_SIZE)) {
    if (isOver()) return
    await settleSubscription(shop, providerId!).catch((error: unknown) => {
      if (error instanceof PaymentsUnavailable) throw error
      shop.log.warn({ err: error, subscription: id }, 'a membership could not be reconciled')
    })
  }
}

/** Long enough to find an event that was lost while the shop was offline for weeks. */
const LOOKED_BACK_MS = 30 * DAY_MS

/** By then the bank has decided. A membership whose dispute was lost stays suspended. */
const LONGEST_DISPUTE_MS = 150 * DAY_MS

export async function reconcileMoneyBack(shop: Shop, isOver: () => boolean): Promise<void> {
  const now = shop.clock.now()
  const since = new Date(now.getTime() - LOOKED_BACK_MS)
  for await (const payment of shop.payments.listReturned({ since })) {
    if (isOver()) return
    await settleReturned(shop, payment)
  }
  for (const { id } of await selectSuspended(shop.db, new Date(now.getTime() - LONGEST_DISPUTE_MS)))
    for (const payment of await paymentsOf(shop, id)) {
      if (isOver()) return
      await settleReturned(shop, payment)
    }
}

/**
 * A failure is logged and does not stop the others. A refund made in the provider's dashboard gets its credit note
 * here.
 */
async function settleReturned(shop: Shop, payment: string): Promise<void> {
  try {
    // A refund that succeeded at first may have failed at the bank since.
    await settleRefunds(shop, payment)
    const paid = await settlePaid(shop, payment)
    if (paid && paid.payment.refundedMinor > paid.creditedMinor) await writeCreditNotes(shop, paid.invoice)
  } catch (error) {
    if (error instanceof PaymentsUnavailable) throw error
    if (!(error instanceof NotAtProvider))
      shop.log.warn({ err: error, payment }, 'money that went back could not be compared')
  }
}

async function paymentsOf(shop: Shop, subscriptionId: string): Promise<string[]> {
  const payments: string[] = []
  for (const { invoiceId } of await selectInvoices(shop.db, subscriptionId)) {
    const { payment } = await shop.billing.invoices.retrieve(invoiceId)
    if (payment !== null) payments.push(payment)
  }
  return payments
}
