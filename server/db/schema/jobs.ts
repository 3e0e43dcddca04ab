import { bigint, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** Work that the shop does by itself and that one instance at a time may do: who does it, and when it is due again. */
export const jobs = pgTable('jobs', {
  name: text().primaryKey(),
  /** By the shop's clock. */
  dueAt: timestamp('due_at', { withTimezone: true }).notNull(),
  /** The run that is under way; an instance that died holds it until `held_until`, by the database's clock. */
  heldBy: uuid('held_by'),
  heldUntil: timestamp('held_until', { withTimezone: true }),
  endedAt: timestamp('ended_at', { withTimezone: true }),
  /** Why the last run failed. */
  problem: text(),
  /** How often in a row, and since when. */
  failures: integer().notNull().default(0),
  failingSince: timestamp('failing_since', { withTimezone: true }),
  succeededAt: timestamp('succeeded_at', { withTimezone: true }),
})

/** How far the demo's business time was moved on; one row, or none. */
export const businessClock = pgTable('business_clock', {
  id: integer().primaryKey(),
  aheadMs: bigint('ahead_ms', { mode: 'number' }).notNull(),
})

/** Each time that this shop was made of a backup: it knows nothing of what happened in between. */
export const restorations = pgTable('restorations', {
  id: uuid().primaryKey().defaultRandom(),
  backupMadeAt: timestamp('backup_made_at', { withTimezone: true }).notNull(),
  restoredAt: timestamp('restored_at', { withTimezone: true }).notNull().defaultNow(),
  /** When the provider had been asked about everything; null until then. */
  caughtUpAt: timestamp('caught_up_at', { withTimezone: true }),
})

/** What needs a person (`server/monitoring`) is found anew each time; here is what a person has put away. */
export const todoDone = pgTable('todo_done', {
  key: text().primaryKey(),
  doneAt: timestamp('done_at', { withTimezone: true }).notNull(),
})

/**
 * Addresses that sent forwarding headers without being listed in `TRUSTED_PROXIES`. In the database, because the
 * doctor and the to-do list run in other processes.
 */
export const untrustedProxies = pgTable('untrusted_proxies', {
  address: text().primaryKey(),
  /** The forwarding header. */
  header: text().notNull(),
  firstSeenAt: timestamp('first_seen_at', { withTimezone: true }).notNull(),
  seenAt: timestamp('seen_at', { withTimezone: true }).notNull(),
})
