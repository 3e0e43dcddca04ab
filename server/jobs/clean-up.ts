import { tidy } from '../db/tidy.ts'
import { deleteUnseenDevices } from '../features/account/device-rows.ts'
import { deleteOldProofs } from '../features/account/proof-rows.ts'
import { deleteOldCarts } from '../features/bag/rows.ts'
import { deleteBuyerEmails } from '../features/cards/rows.ts'
import { deleteOldEvents } from '../features/checkout/rows.ts'
import { clearOldFeed } from '../features/feed/rules.ts'
import { deleteEndedSessions } from '../features/account/rows.ts'
import { clearOldEvents } from '../features/listening/rows.ts'
import { deleteUnconfirmed } from '../features/series/notice-rows.ts'
import { deleteOldLimits } from '../guards/rate-limit-rows.ts'
import { deleteOldMails } from '../outside/mail/rows.ts'
import type { Shop } from '../shop.ts'

/**
 * Forgets what can no longer matter. Safe to run at any time, and on several instances at once. A step that fails
 * keeps none of the others back; at the end all that failed is thrown together.
 */
export async function cleanUp({ db, database, now }: Pick<Shop, 'db' | 'database' | 'now'>): Promise<void> {
  const steps: (() => Promise<unknown>)[] = [
    () => clearOldEvents(db, now()),
    () => deleteOldLimits(db, now()),
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
    // The provider repeats itself for days, not for months.
    () => deleteOldEvents(db, daysBefore(now(), 30)),
    // Their text went when they were sent; that there was one is what keeps a repetition from being sent again.
    () => deleteOldMails(db, daysBefore(now(), 400)),
    // PostgreSQL has a process of its own for this.
    ...(database.kind === 'embedded' ? [() => tidy(db)] : []),
  ]
  const faults: unknown[] = []
  for (const step of steps) await step().catch((fault: unknown) => faults.push(fault))
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} of ${steps.length} steps failed`)
}

const daysBefore = (instant: Date, days: number): Date => new Date(instant.getTime() - days * 24 * 3_600_000)
