import { sql } from 'drizzle-orm'
import { doublePrecision, foreignKey, index, integer, pgTable, primaryKey, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { writtenNote } from './written-note.ts'
import { deviceTime } from './instants.ts'

/** Bookmarks in audiobooks. Devices create the ids, so two accounts may have the same one. */
export const bookmarks = pgTable(
  'user_bookmarks',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid().notNull(),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    chapter: integer().notNull(),
    seconds: doublePrecision().notNull(),
    madeAt: deviceTime('made_at').notNull(),
    ...writtenNote,
    /** A removed bookmark keeps its id, so that a late repeat does not create it again; its note is erased. */
    removedAt: deviceTime('removed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('user_bookmarks_book')
      .on(table.userId, table.bookId)
      .where(sql`${table.removedAt} is null`),
  ],
)

/** Notes that were replaced by a newer one, newest last; at most 50 per bookmark. */
export const bookmarkHistory = pgTable(
  'bookmark_history',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    userId: uuid('user_id').notNull(),
    bookmarkId: uuid('bookmark_id').notNull(),
    ...writtenNote,
  },
  (table) => [
    foreignKey({
      columns: [table.userId, table.bookmarkId],
      foreignColumns: [bookmarks.userId, bookmarks.id],
    }).onDelete('cascade'),
    index('bookmark_history_of').on(table.userId, table.bookmarkId, table.id.desc()),
  ],
)
