import {
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { sql } from 'drizzle-orm'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { mediaFiles } from './media.ts'
import { deviceTime, realTime } from './instants.ts'

export const libraryEntries = pgTable(
  'library_entries',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    source: text({ enum: ['purchase', 'credit', 'free', 'gift', 'card', 'owner'] }).notNull(),
    /** For an e-book whose file is created for its buyer: that file, once created. */
    fileId: text('file_id').references(() => mediaFiles.sha256),
    fileFailedAt: realTime('file_failed_at'),
    fileProblem: text('file_problem'),
    addedAt: realTime('added_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('library_entries_once').on(table.userId, table.bookId),
    index('library_entries_newest').on(table.userId, table.addedAt.desc(), table.id),
    index('library_entries_book').on(table.bookId),
  ],
)

/** Queues and shelves: a row for each title and each shelf. Devices create the ids, so two accounts may share one. */
export const listRows = pgTable(
  'user_list_rows',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    id: uuid().notNull(),
    kind: text({ enum: ['queue', 'shelf', 'shelf_title'] }).notNull(),
    /** The shelf's own row may arrive later. */
    shelfId: uuid('shelf_id'),
    bookId: integer('book_id').references(() => books.id),
    name: text().notNull().default(''),
    /** A fractional index, compared bytewise. */
    position: text().notNull(),
    changedAt: deviceTime('changed_at').notNull(),
    eventId: uuid('event_id'),
    deviceId: uuid('device_id'),
    sequence: integer().notNull().default(0),
    /** A removed row keeps its id, so that an older change does not bring it back. */
    removedAt: deviceTime('removed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.id] }),
    index('user_list_rows_of')
      .on(table.userId, table.kind)
      .where(sql`${table.removedAt} is null`),
    index('user_list_rows_book').on(table.bookId),
  ],
)

export const readingPlaces = pgTable(
  'user_e_book_places',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    locator: text().notNull(),
    share: doublePrecision().notNull(),
    readAt: deviceTime('read_at').notNull(),
    eventId: uuid('event_id'),
    deviceId: uuid('device_id'),
    sequence: integer().notNull().default(0),
  },
  (table) => [uniqueIndex('user_e_book_places_once').on(table.userId, table.bookId)],
)
