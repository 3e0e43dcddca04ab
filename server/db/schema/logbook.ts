import { index, integer, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'

/** What somebody who runs the shop did by a command: who, what, why. A row is written before anything is changed. */
export const logbook = pgTable(
  'logbook',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    at: timestamp({ withTimezone: true }).notNull(),
    /** Whoever typed it, by the name that the machine has for them, or that they gave. */
    by: text().notNull(),
    /** `orders refund` */
    command: text().notNull(),
    /** `order M-100012`, `title the-two-bells` */
    about: text().notNull(),
    /** The account that it was about; null for none, and once that was closed. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** In the owner's words, which may name somebody: emptied when the account is closed. */
    because: text().notNull(),
    /** What was done, naming nobody. */
    what: text().notNull(),
    /** Null while it is under way, and where the command died on the way. */
    outcome: text({ enum: ['done', 'failed'] }),
  },
  (table) => [index('logbook_about').on(table.about), index('logbook_user').on(table.userId)],
)
