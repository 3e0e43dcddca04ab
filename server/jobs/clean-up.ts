import { tidy } from '../db/tidy.ts'
import { deleteOldProofs } from '../features/account/proof-rows.ts'
import { deleteOldCarts } from '../features/bag/rows.ts'
import { deleteOldEvents } from '../features/checkout/rows.ts'
import { clearOldFeed } from '../features/feed/rules.ts'
import { deleteEndedSessions } from '../features/account/rows.ts'
import { clearOldEvents } from '../features/listening/rows.ts'
import { clearOldLimits } from '../guards/rate-limit.ts'
import type { Shop } from '../shop.ts'

/** Forgets what can no longer matter. Safe to run at any time, and on several instances at once. */
export async function cleanUp({ db, database, now }: Pick<Shop, 'db' | 'database' | 'now'>): Promise<void> {
  await clearOldEvents(db, now())
  await clearOldLimits(db, now())
  await deleteEndedSessions(db, now())
  await deleteOldProofs(db, now())
  await clearOldFeed(db, now())
  await deleteOldCarts(db, daysBefore(now(), 90))
  // The provider repeats itself for days, not for months.
  await deleteOldEvents(db, daysBefore(now(), 30))
  // PostgreSQL has a process of its own for this.
  if (database.kind === 'embedded') await tidy(db)
}

const daysBefore = (instant: Date, days: number): Date => new Date(instant.getTime() - days * 24 * 3_600_000)
