import { bigint, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { businessTime, realTime } from './instants.ts'

export const jobs = pgTable('jobs', {
  name: text().primaryKey(),
  dueAt: realTime('due_at').notNull(),
  /** If its instance dies, the lease ends at `held_until`, by the database's clock. */
  heldBy: uuid('held_by'),
  heldUntil: realTime('held_until'),
  endedAt: realTime('ended_at'),
  problem: text(),
  failures: integer().notNull().default(0),
  failingSince: realTime('failing_since'),
  succeededAt: realTime('succeeded_at'),
  /** When staff last requested a run; earlier than `succeeded_at` once the run has succeeded. */
  askedAt: realTime('asked_at'),
  /** How far a long run is, in words; null between runs. */
  progress: text(),
})

export const businessClock = pgTable('business_clock', {
  id: integer().primaryKey(),
  aheadMs: bigint('ahead_ms', { mode: 'number' }).notNull(),
})

/** What happened between the backup and the restore is unknown here. */
export const restorations = pgTable('restorations', {
  id: uuid().primaryKey().defaultRandom(),
  backupMadeAt: realTime('backup_made_at').notNull(),
  restoredAt: realTime('restored_at').notNull().defaultNow(),
  /** When the provider had been asked for all changes; null until then. */
  caughtUpAt: realTime('caught_up_at'),
})

/** The to-do list (`server/monitoring`) is computed each time; this table stores which entries were dismissed. */
export const todoDone = pgTable('todo_done', {
  key: text().primaryKey(),
  doneAt: realTime('done_at').notNull(),
})

/** In the database, because the doctor and the to-do list run in other processes. */
export const untrustedProxies = pgTable('untrusted_proxies', {
  address: text().primaryKey(),
  header: text().notNull(),
  firstSeenAt: realTime('first_seen_at').notNull(),
  seenAt: realTime('seen_at').notNull(),
})

/** Failed items and when to retry them (`server/due-work`), if their own table has no column for that. */
export const postponedWork = pgTable(
  'postponed_work',
  {
    work: text().notNull(),
    itemId: uuid('item_id').notNull(),
    failures: integer().notNull(),
    until: businessTime('until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.work, table.itemId] })],
)
