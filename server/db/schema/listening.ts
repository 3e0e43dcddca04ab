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
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { deviceTime, realTime } from './instants.ts'

const place = {
  chapter: integer().notNull(),
  seconds: doublePrecision().notNull(),
  /** When it was heard, corrected to the server's clock. */
  heardAt: deviceTime('heard_at').notNull(),
  eventId: uuid('event_id'),
  deviceId: uuid('device_id'),
  /** Orders events of one device that were heard in the same millisecond. */
  sequence: integer().notNull().default(0),
}

export const bookTimes = pgTable(
  'user_audio_book_times',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    ...place,
    fromSeconds: doublePrecision('from_seconds'),
    /** Chosen by the listener for this book; position updates do not change it. */
    speed: doublePrecision(),
    speedChosenAt: deviceTime('speed_chosen_at'),
    updatedAt: realTime('updated_at').notNull().defaultNow(),
  },
  // No index on the time: it changes every five seconds, and a listener's few rows are sorted quickly.
  (table) => [uniqueIndex('user_audio_book_times_once').on(table.userId, table.bookId)],
)

export const chapterTimes = pgTable(
  'user_chapter_times',
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    ...place,
    updatedAt: realTime('updated_at').notNull().defaultNow(),
  },
  (table) => [uniqueIndex('user_chapter_times_once').on(table.userId, table.bookId, table.chapter)],
)

/** Events that were processed, so that a repeat changes nothing. Deleted once no device can repeat them. */
export const listeningEvents = pgTable(
  'listening_events',
  {
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    eventId: uuid('event_id').notNull(),
    receivedAt: realTime('received_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.eventId] }),
    // Rows are inserted in time order, so a small BRIN index is enough for deleting old ones.
    index('listening_events_received').using('brin', table.receivedAt),
  ],
)

/** Positions that were replaced, newest last; at most 50 per book. */
export const placeHistory = pgTable(
  'place_history',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    userId: uuid('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id),
    ...place,
    replacedAt: realTime('replaced_at').notNull().defaultNow(),
  },
  (table) => [index('place_history_book').on(table.userId, table.bookId, table.id.desc())],
)

/** The device that currently plays a listener's sound: the one that started last. Deleted when it stops. */
export const soundClaims = pgTable('sound_claims', {
  userId: uuid('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  claimId: uuid('claim_id').notNull(),
  deviceId: uuid('device_id').notNull(),
  slug: text().notNull(),
  chapter: integer().notNull(),
  seconds: doublePrecision().notNull(),
  startedAt: deviceTime('started_at').notNull(),
})
