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
})

/** How far the demo's business time was moved on; one row, or none. */
export const businessClock = pgTable('business_clock', {
  id: integer().primaryKey(),
  aheadMs: bigint('ahead_ms', { mode: 'number' }).notNull(),
})
