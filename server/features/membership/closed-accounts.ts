import { NotAtProvider, PaymentConflict } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { changeSubscription, lockSubscription } from './subscription-state.ts'
import { askForRefund, openRefunds } from '../refunds/service.ts'
import { sendMembershipRefund } from './membership-refunds.ts'
import { selectByProvider, selectClosedAccounts, selectInvoiceOrders } from './billing-queries.ts'
import { settleSubscription } from './sync-subscription.ts'

const BATCH_SIZE = 200

export async function endClosedAccountsAtProvider(
  shop: Shop,
  isOver: () => boolean = () => false,
): Promise<void> {
  for (const { id, providerId } of await selectClosedAccounts(shop.db, BATCH_SIZE)) {
    if (isOver()) return
    await forgetAtProvider(shop, providerId!).catch((error: unknown) =>
      shop.log.warn({ err: error, subscription: id }, 'a closed account could not leave the provider'),
    )
  }
}

/**
 * Stops the charges of a deleted account, refunds what the withdrawal owes and what was charged after the deletion,
 * then deletes the payment methods at the provider. The job repeats it until everything succeeded.
 */
export async function forgetAtProvider(shop: Shop, providerId: string): Promise<void> {
  const { subscriptions, invoices, customers } = shop.billing
  const row = await selectByProvider(shop.db, providerId)
  if (!row) return
  try {
    await voidOpenInvoices(shop, providerId)
    const { customer } = await subscriptions.end(providerId)
    const sold = await selectInvoiceOrders(shop.db, row.id)
    for await (const { id: invoiceId, state, paidMinor: amountMinor } of invoices.list({
      subscription: providerId,
    })) {
      if (state !== 'paid' || amountMinor === 0 || sold.has(invoiceId)) continue
      const refund = await shop.db.transaction(async (tx) => {
        await lockSubscription(tx, row.id)
        const owed = {
          reason: 'closed-account',
          key: `closed-account:${invoiceId}`,
          invoiceId,
          amountMinor,
        } as const
        return askForRefund(tx, owed, shop.clock.now())
      })
      await sendMembershipRefund(shop, refund)
    }
    await settleSubscription(shop, providerId)
    // Deleting the account counts as withdrawing from the charges of the last 14 days.
    const orderIds = [...(await selectInvoiceOrders(shop.db, row.id)).values()]
    for (const refund of await openRefunds(shop.db, orderIds)) await sendMembershipRefund(shop, refund)
    await customers.erase(customer)
  } catch (error) {
    // The customer was deleted already, with another membership of the account.
    if (!(error instanceof NotAtProvider)) throw error
  }
  await changeSubscription(shop.db, row.id, { forgottenAt: shop.clock.now() })
}

/** Otherwise the client secret of an open payment could still be used after the account is deleted. */
async function voidOpenInvoices({ billing: { invoices } }: Shop, providerId: string): Promise<void> {
  for await (const { id, state } of invoices.list({ subscription: providerId })) {
    if (state !== 'open') continue
    await invoices.makeVoid(id).catch((error: unknown) => {
      // The payment is processing or paid: refund it if it succeeds.
      if (!(error instanceof PaymentConflict)) throw error
    })
  }
}
