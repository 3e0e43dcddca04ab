import { DAY_MS, MINUTE_MS } from '#contract/durations.ts'
import { reconcileMemberships } from '../features/membership/sync-due-memberships.ts'
import { followEvents } from '../features/provider-events/follow-events.ts'
import { reconcile } from '../features/checkout/reconcile-payments.ts'
import { URGENT } from '../integrations/mail/kinds.ts'
import { pauseWaitingMail } from '../integrations/mail/queries.ts'
import { takesPayments } from '../integrations/stripe/payments.ts'
import type { Shop } from '../shop.ts'
import { BUSINESS, type BusinessWork } from './business-jobs.ts'
import { noteCaughtUp, selectRestoration } from './queries.ts'
import type { Job } from './run-job.ts'

/** Jobs that may run before the catch-up: they serve a user who is here now, or concern no user at all. */
const AT_ONCE = new Set(['mail', 'own-files', 'clean-up', 'backup'])

export const catchUpJob = (shop: Shop): Job => ({
  name: 'catch-up',
  pauseMs: () => MINUTE_MS,
  firstInMs: 0,
  run: (signal) => catchUpAfterRestore(shop, signal),
})

const BEFORE_MS = 4 * DAY_MS

/** Asks the provider for all changes before anything is renewed, refunded or reminded. The mail waits for the owner. */
export async function catchUpAfterRestore(shop: Shop, signal: AbortSignal): Promise<void> {
  const { db, clock, log } = shop
  const restoration = await selectRestoration(db)
  if (!restoration) return
  const now = clock.now().getTime()
  if (takesPayments(shop.payments)) {
    await followEvents(shop, signal)
    await reconcileMemberships(shop, signal)
    const { wrong } = await reconcile(shop, now - restoration.backupMadeAt.getTime() + BEFORE_MS, signal)
    // Only the provider knows orders that were made after the backup.
    if (wrong.length > 0)
      log.error({ payments: wrong }, 'payments without an order: it was made after the backup')
  }
  const works: readonly BusinessWork[] = Object.values(BUSINESS)
  for (const { run } of works) if (!signal.aborted) await run(shop, signal)
  if (signal.aborted) return
  await db.transaction(async (tx) => {
    await pauseWaitingMail(tx, URGENT)
    await noteCaughtUp(tx, clock.now())
  })
}

export function onceCaughtUp({ db }: Pick<Shop, 'db'>, job: Job): Job {
  if (AT_ONCE.has(job.name)) return job
  let hasCaughtUp = false
  return {
    ...job,
    run: async (signal) => {
      hasCaughtUp ||= !(await selectRestoration(db))
      if (hasCaughtUp) await job.run(signal)
    },
  }
}
