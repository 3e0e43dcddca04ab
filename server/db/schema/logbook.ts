import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { realTime } from './instants.ts'

/**
 * What was changed by a command or in the office: who, what and why. The row is written before the change. A trigger
 * refuses to delete rows and to change them, except for the outcome and for erasing personal data of a closed account.
 */
export const logbook = pgTable(
  'logbook',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    at: realTime('at').notNull(),
    /** The operator's user name on the machine, or the name that they gave; in the office their name. */
    by: text().notNull(),
    /** Null for a command. Without a reference: the log keeps rows of people who are gone. */
    staffId: uuid('staff_id'),
    /** `orders refund`, also in the office. */
    command: text().notNull(),
    /** `order M-100012`, `title the-two-bells` */
    about: text().notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The operator's own words, which may contain personal data: erased when the account is closed. */
    because: text().notNull(),
    what: text().notNull(),
    /** What is needed to undo it, and to show what was there. Erased like `because`. */
    before: jsonb().$type<LogbookValue>(),
    after: jsonb().$type<LogbookValue>(),
    /** The entry that it undid. */
    undoes: integer(),
    /** Null while the command runs, and if it crashed. */
    outcome: text({ enum: ['done', 'failed'] }),
  },
  (table) => [index('logbook_about').on(table.about), index('logbook_user').on(table.userId)],
)

/** Claimed before an act is taken back, so that two people can't both do it; given up if that fails. */
export const undoneEntries = pgTable('undone_entries', {
  entry: integer()
    .primaryKey()
    .references(() => logbook.id),
})

export type LogbookValue =
  | string
  | number
  | boolean
  | null
  | { readonly [key: string]: LogbookValue }
  | readonly LogbookValue[]
