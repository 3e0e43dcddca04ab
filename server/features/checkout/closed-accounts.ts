import { forEachDue, postponing } from '../../due-work/for-each-due.ts'
import type { Shop } from '../../shop.ts'
import { endClosedAccountsAtProvider } from '../membership/closed-accounts.ts'
import { abandon } from './service.ts'
import { selectWaitingOfClosed } from '../orders/queries.ts'

const ORDERS_PER_RUN = 200

/** Job: cancels the open payments and ends the memberships of deleted accounts. */
export async function closeAccountsAtProvider(shop: Shop, signal?: AbortSignal): Promise<void> {
  const orders = await selectWaitingOfClosed(shop.db, shop.clock.now(), ORDERS_PER_RUN)
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
