import type { BusinessTime } from '../../clock.ts'
import type { Db } from '../../db/open.ts'
import { PaymentConflict, PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import type { Subscription } from '../../integrations/stripe/subscriptions.ts'
import type { Shop } from '../../shop.ts'
import { changeSubscription } from './subscription-state.ts'
import { type SubscriptionRow } from './queries.ts'
import { askForRefund } from '../refunds/service.ts'
import { closeRefund, sendRefund } from '../refunds/send-refund.ts'
import { type RefundRow } from '../refunds/queries.ts'
import type { ProviderSnapshot } from './provider-state.ts'
import { deleteTrial, selectReservation } from './billing-queries.ts'

/**
 * Ends a superseded join at the provider before it is synced. Its invoice is voided first: a payment in progress then
 * either arrived before, and is synced, or fails. While a payment is pending at the bank, returns the subscription
 * unchanged.
 */
export async function endIfSuperseded(
  { db, billing: { subscriptions, invoices } }: Pick<Shop, 'db' | 'billing'>,
  id: string,
  found: Subscription,
): Promise<Subscription> {
  const isSuperseded = (await selectReservation(db, id))?.supersededAt
  if (!isSuperseded || found.endedAt !== null) return found
  const { state, trialEndsAt, latestInvoice } = found
  try {
    // The £0 invoice of a trial is paid from the start; a trial waits for a payment method instead.
    const runs =
      trialEndsAt === null
        ? latestInvoice !== null && (await invoices.makeVoid(latestInvoice)).state === 'paid'
        : state === 'trialing'
    return await (runs ? subscriptions.retrieve(found.id) : subscriptions.end(found.id))
  } catch (error) {
    if (error instanceof PaymentConflict) return found
    throw error
  }
}

/**
 * After a superseded join was synced without getting its slot back: if it is active at the provider, ends it and
 * refunds all its payments. `endedAt` is stored last, so that the job repeats what failed.
 */
export async function endUnreserved(
  shop: Pick<Shop, 'db' | 'billing' | 'payments' | 'clock' | 'log'>,
  row: SubscriptionRow,
  { subscription, paid }: Pick<ProviderSnapshot, 'subscription' | 'paid'>,
): Promise<SubscriptionRow> {
  if (subscription.state === 'incomplete' || row.endedAt !== null) return row
  const refunds = await shop.db.transaction((tx) => owe(tx, paid, shop.clock.now()))
  const { endedAt } = await shop.billing.subscriptions.end(subscription.id)
  await deleteTrial(shop.db, row.id)
  const ended = await changeSubscription(shop.db, row.id, { endedAt: endedAt ?? shop.clock.now() })
  for (const { id } of refunds)
    try {
      await closeRefund(shop, await sendRefund(shop, id))
    } catch (error) {
      // The job sends it.
      if (!(error instanceof PaymentsUnavailable)) throw error
    }
  return ended
}

/** It was paid in addition to the membership that the account has. */
async function owe(tx: Db, paid: ProviderSnapshot['paid'], now: BusinessTime): Promise<RefundRow[]> {
  const refunds: RefundRow[] = []
  for (const { invoice } of paid) {
    const { id: invoiceId, paidMinor: amountMinor } = invoice
    if (amountMinor === 0) continue
    const owed = { reason: 'double-join' as const, key: `double-join:${invoiceId}`, invoiceId, amountMinor }
    refunds.push(await askForRefund(tx, owed, now))
  }
  return refunds
}
