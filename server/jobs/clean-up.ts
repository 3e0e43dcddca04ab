import { deleteUnseenDevices } from '../features/account/device-queries.ts'
import { deleteOldProofs } from '../features/account/email-token-queries.ts'
import { deleteOldCarts } from '../features/bag/queries.ts'
import { deleteBuyerEmails } from '../features/cards/queries.ts'
import { deleteOldEvents } from '../features/checkout/queries.ts'
import { clearOldFeed } from '../features/feed/service.ts'
import { deleteEndedSessions } from '../features/account/queries.ts'
import { clearOldEvents } from '../features/listening/queries.ts'
import { deleteUnconfirmed } from '../features/series/notice-queries.ts'
import { deleteSettledStatements } from '../features/withdrawals/queries.ts'
import { deleteOldLimits } from '../rate-limiting/rate-limit-queries.ts'
import { deleteOldUntrustedProxies } from '../rate-limiting/untrusted-proxy-queries.ts'
import { deleteOldMails, deleteSentMails } from '../integrations/mail/queries.ts'
import type { Shop } from '../shop.ts'

/**
 * Forgets what can no longer matter. Safe to run at any time, and on several instances at once. A step that fails
 * keeps none of the others back; at the end all that failed is thrown together.
 */
export async function cleanUp({ db, now }: Pick<Shop, 'db' | 'now'>): Promise<void> {
  const steps: (() => Promise<unknown>)[] = [
    () => clearOldEvents(db, now()),
    () => deleteOldLimits(db, now()),
    () => deleteOldUntrustedProxies(db, daysBefore(now(), 2)),
    () => deleteEndedSessions(db, now()),
    // The history of places speaks of a device for as long as anybody may wonder.
    () => deleteUnseenDevices(db, daysBefore(now(), 400)),
    () => deleteOldProofs(db, now()),
    () => clearOldFeed(db, now()),
    // Their receipts are long read.
    () => deleteBuyerEmails(db, daysBefore(now(), 365)),
    () => deleteOldCarts(db, daysBefore(now(), 90)),
    // Nobody confirms what they asked for a month ago.
    () => deleteUnconfirmed(db, daysBefore(now(), 30)),
    // Proof of what was stated and what came of it; see docs/product.md, Memberships.
    () => deleteSettledStatements(db, daysBefore(now(), 365)),
    // The provider repeats itself for days, not for months.
    () => deleteOldEvents(db, daysBefore(now(), 30)),
    () => deleteSentMails(db, daysBefore(now(), 90)),
    // Only the fact that there was a mail is left; it prevents a second one.
    () => deleteOldMails(db, daysBefore(now(), 400)),
  ]
  const faults: unknown[] = []
  for (const step of steps) await step().catch((fault: unknown) => faults.push(fault))
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} of ${steps.length} steps failed`)
}

const daysBefore = (instant: Date, days: number): Date => new Date(instant.getTime() - days * 24 * 3_600_000)
