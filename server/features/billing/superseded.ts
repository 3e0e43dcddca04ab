import { NotAtProvider, PaymentsUnavailable } from '../../outside/stripe/problems.ts'
import { refused } from '../../wire/refusals.ts'
import type { Shop } from '../../shop.ts'
import { isOver, selectCustomer, selectSuperseded, type SubscriptionRow, updateSubscription } from './rows.ts'
import { ALREADY, paymentStillChecked } from './refuse-if-member.ts'
import { settleSubscription } from './settle.ts'

/** By then the provider has answered whoever was beginning it, or nobody is. */
const BEGUN_WITHIN_MS = 60 * 60_000
const AT_ONCE = 100

/**
 * Before an account's next join is paid, nobody can pay the ones before it any more. One whose subscription is only being made
 * is ended by whoever makes it, who does not pay for it.
 */
export async function refuseWhilePayable(shop: Shop, userId: string): Promise<void> {
  for (const row of await selectSuperseded(shop.db, { userId, after: null, limit: AT_ONCE })) {
    if (row.providerId === null) continue
    const after = await follow(shop, row, row.providerId)
    if (!isOver(after.status)) throw refused(ALREADY)
    if (after.endedAt === null) throw paymentStillChecked()
  }
}

/** For the job that repeats it: whatever a server that died, or a provider that was away, left undone. */
export async function endSuperseded(shop: Shop, isStopping: () => boolean = () => false): Promise<void> {
  for (let after: string | null = null; ;) {
    const rows: SubscriptionRow[] = await selectSuperseded(shop.db, { userId: null, after, limit: AT_ONCE })
    for (const row of rows) {
      if (isStopping()) return
      try {
        const providerId = row.providerId ?? (await begunFor(shop, row))
        if (providerId !== null) await follow(shop, row, providerId)
        else if (shop.clock.now().getTime() - row.supersededAt!.getTime() > BEGUN_WITHIN_MS)
          await updateSubscription(shop.db, row.id, { endedAt: shop.clock.now() })
      } catch (error) {
        if (error instanceof PaymentsUnavailable) throw error
        shop.log.warn({ err: error, subscription: row.id }, 'a superseded join could not be ended')
      }
    }
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)!.id
  }
}

async function follow(shop: Shop, row: SubscriptionRow, providerId: string): Promise<SubscriptionRow> {
  try {
    return (await settleSubscription(shop, providerId)) ?? row
  } catch (error) {
    if (!(error instanceof NotAtProvider)) throw error
    return updateSubscription(shop.db, row.id, { endedAt: shop.clock.now() })
  }
}

/** A server died between the provider and the row: the subscription says whose it is. */
async function begunFor({ db, billing }: Shop, { id, userId }: SubscriptionRow): Promise<string | null> {
  const customer = userId === null ? null : await selectCustomer(db, userId)
  if (customer === null) return null
  for await (const { id: providerId, metadata } of billing.subscriptions.list({ customer }))
    if (metadata.subscription === id) return providerId
  return null
}
