import { PaymentsUnavailable } from '../../integrations/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { endClosedAccountsAtProvider } from '../membership/closed-accounts.ts'
import { ordersOfClosedAccounts } from '../orders/payment-intents.ts'
import { abandon } from './service.ts'

/** Job. Accounts that fail are tried again by the next run. */
export async function closeAccountsAtProvider(
  shop: Shop,
  isOver: () => boolean = () => false,
): Promise<void> {
  for (const { orderId, intentId } of await ordersOfClosedAccounts(shop.db)) {
    if (isOver()) return
    try {
      await abandon(shop, { id: orderId }, intentId)
    } catch (error) {
      shop.log.warn({ err: error, order: orderId }, 'a payment of a closed account could not be cancelled')
      if (error instanceof PaymentsUnavailable) break
    }
  }
  await endClosedAccountsAtProvider(shop, isOver)
}
