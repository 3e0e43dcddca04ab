import { listOwedRefunds } from '#contract/refunds.ts'
import { wholeList } from '#contract/calculations/hydra-list.ts'
import { type ApiServer, serve } from '../../http/serve.ts'
import { selectOwedTo } from './queries.ts'

export function registerRefunds(server: ApiServer): void {
  serve(server, listOwedRefunds, async ({ caller, url }) => {
    const members = (await selectOwedTo(server.shop.db, caller.userId)).map((owed) => ({
      '@id': `/api/refunds/${owed.id}`,
      '@type': 'Refund' as const,
      id: owed.id,
      order: owed.orderId,
      orderNumber: owed.orderNumber,
      amount: owed.amountMinor / 100,
      since: owed.createdAt.toISOString(),
    }))
    return wholeList('Refund', url, members)
  })
}
