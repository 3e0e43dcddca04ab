import { sql } from 'drizzle-orm'
import {
  doublePrecision,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { writtenNote } from './written-note.ts'
import { deviceTime } from './instants.ts'

/** Highlights in e-books. Devices create the ids, so two accounts may have the same one. */
export const highlights = pgTable(
  'user_highlights',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid().notNull(),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    locator: text().notNull(),
    share: doublePrecision().notNull(),
    quote: text().notNull(),
    chapter: text().notNull(),
    madeAt: deviceTime('made_at').notNull(),
    ...writtenNote,
    /** A removed highlight keeps its id, so that a late repeat does not create it again; text and note are erased. */
    removedAt: deviceTime('removed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('user_highlights_book')
      .on(table.userId, table.bookId)
      .where(sql`${table.removedAt} is null`),
  ],
)

/** Notes that were replaced by a newer one, newest last; at most 50 per highlight. */
export const highlightHistory = pgTable(
  'highlight_history',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    userId: uuid('user_id').notNull(),
    highlightId: uuid('highlight_id').notNull(),
    ...writtenNote,
  },
  (table) => [
    foreignKey({
      columns: [table.userId, table.highlightId],
      foreignColumns: [highlights.userId, highlights.id],
    }).onDelete('cascade'),
    index('highlight_history_of').on(table.userId, table.highlightId, table.id.desc()),
  ],
)
