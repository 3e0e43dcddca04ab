import { NotAtProvider, PaymentsUnavailable } from '../../outside/stripe/problems.ts'
import { refused } from '../../refusals.ts'
import type { Desk } from './desk.ts'
import { isOver, selectCustomer, selectSuperseded, type SubscriptionRow, updateSubscription } from './rows.ts'
import { ALREADY, stillChecking } from './second.ts'
import { settleSubscription } from './settle.ts'

/** By then the provider has answered whoever was beginning it, or nobody is. */
const BEGUN_WITHIN_MS = 60 * 60_000
const AT_ONCE = 100

/**
 * Before an account's next join is paid, nobody can pay the ones before it any more. One whose subscription is only being made
 * is ended by whoever makes it, who does not pay for it.
 */
export async function refuseWhilePayable(desk: Desk, userId: string): Promise<void> {
  for (const row of await selectSuperseded(desk.db, { userId, after: null, limit: AT_ONCE })) {
    if (row.providerId === null) continue
    const after = await follow(desk, row, row.providerId)
    if (!isOver(after.status)) throw refused(ALREADY)
    if (after.endedAt === null) throw stillChecking()
  }
}

/** For the job that repeats it: whatever a server that died, or a provider that was away, left undone. */
export async function endSuperseded(desk: Desk, isStopping: () => boolean = () => false): Promise<void> {
  for (let after: string | null = null; ;) {
    const rows: SubscriptionRow[] = await selectSuperseded(desk.db, { userId: null, after, limit: AT_ONCE })
    for (const row of rows) {
      if (isStopping()) return
      try {
        const providerId = row.providerId ?? (await begunFor(desk, row))
        if (providerId !== null) await follow(desk, row, providerId)
        else if (desk.clock.now().getTime() - row.supersededAt!.getTime() > BEGUN_WITHIN_MS)
          await updateSubscription(desk.db, row.id, { endedAt: desk.clock.now() })
      } catch (error) {
        if (error instanceof PaymentsUnavailable) throw error
        desk.log.warn({ err: error, subscription: row.id }, 'a superseded join could not be ended')
      }
    }
    if (rows.length < AT_ONCE) return
    after = rows.at(-1)!.id
  }
}

async function follow(desk: Desk, row: SubscriptionRow, providerId: string): Promise<SubscriptionRow> {
  try {
    return (await settleSubscription(desk, providerId)) ?? row
  } catch (error) {
    if (!(error instanceof NotAtProvider)) throw error
    return updateSubscription(desk.db, row.id, { endedAt: desk.clock.now() })
  }
}

/** A server died between the provider and the row: the subscription says whose it is. */
async function begunFor({ db, billing }: Desk, { id, userId }: SubscriptionRow): Promise<string | null> {
  const customer = userId === null ? null : await selectCustomer(db, userId)
  if (customer === null) return null
  for await (const { id: providerId, metadata } of billing.subscriptions.list({ customer }))
    if (metadata.subscription === id) return providerId
  return null
}
