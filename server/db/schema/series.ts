import {
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { books } from './catalogue.ts'

/** Known by its slug: two spellings of a name that make the same address are one series. */
export const series = pgTable('series', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  slug: text().notNull().unique(),
  title: text().notNull(),
})

/**
 * A book's place in a series, the same for both formats of a title. `number` is what is printed on it: “2”, “1.5”, “3–4”.
 * The two places say in which order it came out and where its story belongs; null is where the number puts it.
 */
export const bookSeries = pgTable(
  'book_series',
  {
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id, { onDelete: 'cascade' }),
    seriesId: integer('series_id')
      .notNull()
      .references(() => series.id, { onDelete: 'cascade' }),
    /** Among the series of this book. */
    position: integer().notNull(),
    number: text(),
    published: doublePrecision(),
    story: doublePrecision(),
  },
  (table) => [
    primaryKey({ columns: [table.bookId, table.seriesId] }),
    index('book_series_series').on(table.seriesId),
  ],
)

/** A title of a series that the shop does not have: it comes out on a day, or it is not sold here (null). */
export const seriesGaps = pgTable(
  'series_gaps',
  {
    seriesId: integer('series_id')
      .notNull()
      .references(() => series.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    number: text(),
    title: text().notNull(),
    comesOut: date('comes_out', { mode: 'string' }),
    published: doublePrecision(),
    story: doublePrecision(),
  },
  (table) => [primaryKey({ columns: [table.seriesId, table.position] })],
)

/** Who asked to be told, once, when the next title of a series is there. The row goes when the mail does. */
export const seriesNotices = pgTable(
  'series_notices',
  {
    seriesId: integer('series_id')
      .notNull()
      .references(() => series.id, { onDelete: 'cascade' }),
    /** Lower-case address. */
    email: text().notNull(),
    token: uuid().notNull().defaultRandom(),
    askedAt: timestamp('asked_at', { withTimezone: true }).notNull().defaultNow(),
    /** When the link of the mail was used; nothing is sent to an address before. */
    confirmedAt: timestamp('confirmed_at', { withTimezone: true }),
    /** Books that were on sale then: any other one is the next. */
    knownBookIds: integer('known_book_ids').array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.seriesId, table.email] }),
    uniqueIndex('series_notices_token').on(table.token),
    index('series_notices_email').on(table.email),
  ],
)
