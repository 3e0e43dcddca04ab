import { DAY_MS } from '#contract/durations.ts'
import { deleteOldChallenges } from '../features/account/passkey-queries.ts'
import { deleteUnseenDevices, deleteEndedSessions } from '../features/account/queries.ts'
import { deleteOldProofs } from '../features/account/email-queries.ts'
import { deleteOldCarts } from '../features/bag/queries.ts'
import { deleteBuyerEmails } from '../features/cards/queries.ts'
import { deleteOldEvents } from '../features/provider-events/queries.ts'
import { deleteOldPresence, emptyBin } from '../features/documents/queries.ts'
import { clearOldFeed } from '../features/feed/service.ts'
import { clearOldEvents } from '../features/listening/queries.ts'
import { deleteOldPackRequests } from '../features/outlets/queries.ts'
import { deleteOldSeats } from '../features/seats/queries.ts'
import { deleteOldOfStaff } from '../features/staff/queries.ts'
import { deleteUnconfirmed } from '../features/series/queries.ts'
import { deleteSettledStatements } from '../features/withdrawals/queries.ts'
import { deleteOldPostponed } from '../due-work/queries.ts'
import { deleteOldLimits, deleteOldUntrustedProxies } from '../rate-limiting/queries.ts'
import { deleteOldMails, deleteSentMails } from '../integrations/mail/queries.ts'
import type { BusinessTime, RealTime } from '../clock.ts'
import type { Shop } from '../shop.ts'

/** Safe on several instances. A failing step does not stop the others; errors are thrown together at the end. */
export async function cleanUp({ db, now, clock }: Pick<Shop, 'db' | 'now' | 'clock'>): Promise<void> {
  const steps: (() => Promise<unknown>)[] = [
    () => clearOldEvents(db, now()),
    () => deleteOldLimits(db, now()),
    () => deleteOldUntrustedProxies(db, daysBefore(now(), 2)),
    () => deleteEndedSessions(db, now()),
    () => deleteOldChallenges(db, now()),
    // Listening history shows device names, so keep devices for 400 days after they were last seen.
    () => deleteUnseenDevices(db, daysBefore(now(), 400)),
    () => deleteOldProofs(db, now()),
    () => emptyBin(db, daysBefore(now(), 30)),
    () => deleteOldPresence(db, daysBefore(now(), 1)),
    () => deleteOldOfStaff(db, daysBefore(now(), 30)),
    () => clearOldFeed(db, now()),
    () => deleteBuyerEmails(db, daysBefore(clock.now(), 365)),
    () => deleteOldCarts(db, daysBefore(now(), 90)),
    () => deleteUnconfirmed(db, daysBefore(now(), 30)),
    () => deleteOldSeats(db, daysBefore(now(), 30)),
    () => deleteOldPackRequests(db, daysBefore(now(), 365)),
    // Proof of withdrawal statements and their outcome; see docs/product.md, Memberships.
    () => deleteSettledStatements(db, daysBefore(clock.now(), 365)),
    // The provider repeats events for days, not for months.
    () => deleteOldEvents(db, daysBefore(now(), 30)),
    () => deleteOldPostponed(db, daysBefore(clock.now(), 90)),
    () => deleteSentMails(db, daysBefore(now(), 90)),
    // Until then the row without contents prevents a second email with the same key.
    () => deleteOldMails(db, daysBefore(now(), 400)),
  ]
  const faults: unknown[] = []
  for (const step of steps) await step().catch((fault: unknown) => faults.push(fault))
  if (faults.length > 0) throw new AggregateError(faults, `${faults.length} of ${steps.length} steps failed`)
}

const daysBefore = <Time extends BusinessTime | RealTime>(instant: Time, days: number): Time =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of the same clock
  new Date(instant.getTime() - days * DAY_MS) as Time
