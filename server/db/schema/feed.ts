import { bigint, index, jsonb, pgTable, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'

export const feedEvents = pgTable(
  'feed_events',
  {
    /** In the order in which they became visible to the account. */
    sequence: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    id: uuid().notNull().unique().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    data: jsonb().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [
    index('feed_events_user').on(table.userId, table.sequence),
    index('feed_events_created').on(table.createdAt),
  ],
)
