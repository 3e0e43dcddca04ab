import { integer, text, timestamp, uuid } from 'drizzle-orm/pg-core'

/** A note of a bookmark or a highlight. Between two versions the time by the server's clock decides, then the writer. */
export const writtenNote = {
  note: text().notNull(),
  changedAt: timestamp('changed_at', { withTimezone: true, precision: 3 }).notNull(),
  eventId: uuid('event_id'),
  deviceId: uuid('device_id'),
  sequence: integer().notNull().default(0),
}
