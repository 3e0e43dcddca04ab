import { NotAtProvider, PaymentsUnavailable } from '../../outside/stripe/problems.ts'
import type { Shop } from '../../shop.ts'
import { selectUnsynced, noteSynced } from './customer-sync-rows.ts'

const AT_ONCE = 100

/**
 * Changed addresses and names are sent to the provider, which writes receipts to them. The last ones sent stand with
 * the customer, so nothing is forgotten and a call that failed is made again with the next run.
 */
export async function syncCustomers(shop: Shop, isOver: () => boolean = () => false): Promise<void> {
  for (let after: string | null = null; ;) {
    const rows: Awaited<ReturnType<typeof selectUnsynced>> = await selectUnsynced(shop.db, AT_ONCE, after)
    for (const { userId, customerId, email, name } of rows) {
      if (isOver()) return
      try {
        await shop.billing.customers.update(customerId, { email, name })
      } catch (error) {
        if (error instanceof PaymentsUnavailable) throw error
        if (!(error instanceof NotAtProvider)) {
          shop.log.warn({ err: error, customer: customerId }, 'a customer could not be told to the provider')
          continue
        }
      }
      await noteSynced(shop.db, userId, { syncedEmail: email, toldName: name })
    }
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)!.userId
  }
}
