import { integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/**
 * The note of a bookmark or a highlight. Of two versions the newer one by the server's clock wins; at the same time,
 * the device decides.
 */
export const writtenNote = {
  note: text().notNull(),
  changedAt: timestamp('changed_at', { withTimezone: true, precision: 3 }).notNull(),
  eventId: uuid('event_id'),
  deviceId: uuid('device_id'),
  sequence: integer().notNull().default(0),
}
