import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { realTime } from './instants.ts'

/** What an operator changed with a command: who, what and why. The row is written before the change. */
export const logbook = pgTable(
  'logbook',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    at: realTime('at').notNull(),
    /** The operator's user name on the machine, or the name that they gave. */
    by: text().notNull(),
    /** `orders refund` */
    command: text().notNull(),
    /** `order M-100012`, `title the-two-bells` */
    about: text().notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The operator's own words, which may contain personal data: erased when the account is closed. */
    because: text().notNull(),
    what: text().notNull(),
    /** Null while the command runs, and if it crashed. */
    outcome: text({ enum: ['done', 'failed'] }),
  },
  (table) => [index('logbook_about').on(table.about), index('logbook_user').on(table.userId)],
)
