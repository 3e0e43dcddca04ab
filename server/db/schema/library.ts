import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { mediaFiles } from './media.ts'
import { realTime } from './instants.ts'

/** Titles that listeners own. They never expire. */
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
