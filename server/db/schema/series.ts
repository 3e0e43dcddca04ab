import {
  date,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { books } from './catalogue.ts'
import { realTime } from './instants.ts'

/** Identified by its slug: two spellings of a name with the same slug are one series. */
export const series = pgTable('series', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  slug: text().notNull().unique(),
  title: text().notNull(),
})

/** `number` as printed: “2”, “1.5”, “3–4”. `published` and `story` are orders; null means that of `number`. */
export const bookSeries = pgTable(
  'book_series',
  {
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id, { onDelete: 'cascade' }),
    seriesId: integer('series_id')
      .notNull()
      .references(() => series.id, { onDelete: 'cascade' }),
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

/** A title of a series that the shop does not have: it is announced for a day, or not sold here (null). */
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

/** One-off notifications about the next title of a series. The row is deleted when the email is queued. */
export const seriesNotices = pgTable(
  'series_notices',
  {
    seriesId: integer('series_id')
      .notNull()
      .references(() => series.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    token: uuid().notNull().defaultRandom(),
    askedAt: realTime('asked_at').notNull().defaultNow(),
    /** When the link of the email was used; before that, nothing is sent to the address. */
    confirmedAt: realTime('confirmed_at'),
    /** Books on sale at that time; any other one is the next title. */
    knownBookIds: integer('known_book_ids').array().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.seriesId, table.email] }),
    uniqueIndex('series_notices_token').on(table.token),
    index('series_notices_email').on(table.email),
  ],
)
