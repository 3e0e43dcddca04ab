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
import { sql } from 'drizzle-orm'
import { deviceTime } from './instants.ts'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'

/** The newer one by the server's clock wins; at the same time, the device decides. */
export const writtenNote = {
  note: text().notNull(),
  changedAt: deviceTime('changed_at').notNull(),
  eventId: uuid('event_id'),
  deviceId: uuid('device_id'),
  sequence: integer().notNull().default(0),
}

/** Devices create the ids, so two accounts may have the same one. */
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
    /** Of the e-book; empty if unknown. */
    sentence: text().notNull().default(''),
    madeAt: deviceTime('made_at').notNull(),
    ...writtenNote,
    /** A removed bookmark keeps its id, so that a late repeat does not create it again; sentence and note are erased. */
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
