import { NotAtProvider } from '../../outside/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { changeSubscription, lockSubscription } from '../membership/rules.ts'
import { askForRefund } from '../refunds/rules.ts'
import { sendMembershipRefund } from './money-back.ts'
import { selectByProvider, selectClosedAccounts, selectInvoiceOrders } from './rows.ts'
import { settleSubscription } from './settle.ts'

const BATCH_SIZE = 200

/** A job: accounts were closed, and the provider still knows how they paid. One that fails is tried again. */
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
 * Of an account that was closed: nobody is charged any more, what was charged after the closing goes back, and last of all the
 * provider forgets how they paid. It is repeated until all of it is done.
 */
export async function forgetAtProvider(shop: Shop, providerId: string): Promise<void> {
  const { subscriptions, invoices, customers } = shop.billing
  const row = await selectByProvider(shop.db, providerId)
  if (!row) return
  try {
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
    await customers.erase(customer)
  } catch (error) {
    // Erased before, with another membership of theirs.
    if (!(error instanceof NotAtProvider)) throw error
  }
  await changeSubscription(shop.db, row.id, { forgottenAt: shop.clock.now() })
}
