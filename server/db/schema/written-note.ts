import { integer, text, uuid } from 'drizzle-orm/pg-core'
import { deviceTime } from './instants.ts'

/**
 * The note of a bookmark or a highlight. Of two versions the newer one by the server's clock wins; at the same time,
 * the device decides.
 */
export const writtenNote = {
  note: text().notNull(),
  changedAt: deviceTime('changed_at').notNull(),
  eventId: uuid('event_id'),
  deviceId: uuid('device_id'),
  sequence: integer().notNull().default(0),
}
