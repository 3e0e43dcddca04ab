import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  customType,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from './accounts.ts'
import { books } from './catalogue.ts'
import { covers, mediaFiles } from './media.ts'
import { realTime } from './instants.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

export const editorialAuthors = pgTable('editorial_authors', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  /** Full name in lower case: the same name in two files means the same person. */
  nameKey: text('name_key').notNull().unique(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
  pictureId: text('picture_id').references(() => covers.id),
  biography: text(),
})

export const editorialCategories = pgTable('editorial_categories', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull().unique(),
})

export const murmurationTypes = pgTable('murmuration_types', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  title: text().notNull().unique(),
})

export const editorialItems = pgTable(
  'editorial_items',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    kind: text({ enum: ['article', 'interview', 'discussion'] }).notNull(),
    slug: text().notNull(),
    title: text().notNull(),
    summary: text().notNull().default(''),
    shortDescription: text('short_description').notNull().default(''),
    /** HTML, sanitised on write. */
    main: text().notNull().default(''),
    pictureId: text('picture_id').references(() => covers.id),
    altText: text('alt_text').notNull().default(''),
    published: boolean().notNull().default(true),
    featured: boolean().notNull().default(false),
    special: boolean().notNull().default(false),
    memberOnly: boolean('member_only').notNull().default(false),
    minimumTier: text('minimum_tier', { enum: ['supporter', 'reader'] }),
    hideAuthor: boolean('hide_author').notNull().default(false),
    videoLink: text('video_link'),
    audioId: text('audio_id').references(() => mediaFiles.sha256),
    link: text(),
    linkTitle: text('link_title'),
    metaDescription: text('meta_description'),
    metaKeywords: text('meta_keywords'),
    authorId: integer('author_id').references(() => editorialAuthors.id),
    categoryId: integer('category_id').references(() => editorialCategories.id),
    typeId: integer('type_id').references(() => murmurationTypes.id),
    publishedAt: realTime('published_at').notNull().defaultNow(),
    startsAt: realTime('starts_at'),
    endsAt: realTime('ends_at'),
    /** Where an event is, and a second line about it: the door, the side of the river. */
    place: text(),
    placeNote: text('place_note'),
    /** How many seats can be kept; null if the shop keeps none for this event. */
    seats: integer(),
    /** What it costs to come, in words. */
    admission: text(),
    goodToKnow: text('good_to_know')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    backgroundColour: text('background_colour'),
    containerColour: text('container_colour'),
    textColour: text('text_colour'),
    /** Parts of a recording, in order. */
    parts: jsonb().$type<readonly { readonly seconds: number; readonly title: string }[]>(),
    importHash: text('import_hash'),
    searchText: tsvector('search_text'),
  },
  (table) => [
    uniqueIndex('editorial_items_kind_slug').on(table.kind, table.slug),
    index('editorial_items_newest').on(table.kind, table.publishedAt.desc(), table.id.desc()),
    index('editorial_items_all').on(table.publishedAt.desc(), table.id.desc()),
    index('editorial_items_search').using('gin', table.searchText),
    check('editorial_items_kind', sql`${table.kind} in ('article', 'interview', 'discussion')`),
  ],
)

export const bookEditorial = pgTable(
  'book_editorial',
  {
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id, { onDelete: 'cascade' }),
    itemId: integer('item_id')
      .notNull()
      .references(() => editorialItems.id, { onDelete: 'cascade' }),
    position: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.bookId, table.itemId] }),
    index('book_editorial_item').on(table.itemId),
  ],
)

/** A seat at an event. One without `confirmedAt` was asked for by email and takes no place until its link is used. */
export const eventSeats = pgTable(
  'event_seats',
  {
    /** Opens the seat from the email: confirms it or gives it back. */
    token: uuid().primaryKey().defaultRandom(),
    itemId: integer('item_id')
      .notNull()
      .references(() => editorialItems.id, { onDelete: 'cascade' }),
    /** Null for a guest without an account; then email and name are set. */
    userId: uuid('user_id').references(() => users.id, { onDelete: 'cascade' }),
    email: text(),
    name: text(),
    askedAt: realTime('asked_at').notNull().defaultNow(),
    confirmedAt: realTime('confirmed_at'),
  },
  (table) => [
    uniqueIndex('event_seats_user').on(table.itemId, table.userId),
    uniqueIndex('event_seats_guest').on(table.itemId, table.email),
    index('event_seats_of_user').on(table.userId),
    index('event_seats_of_email').on(table.email),
    check('event_seats_holder', sql`(${table.userId} is null) = (${table.email} is not null)`),
  ],
)

/** The distinct words of titles, names and keywords; typing errors in searches are corrected to these. */
export const searchWords = pgTable(
  'search_words',
  {
    word: text().primaryKey(),
    uses: integer().notNull(),
    weight: doublePrecision().notNull().default(1),
  },
  (table) => [index('search_words_trigrams').using('gin', sql`${table.word} gin_trgm_ops`)],
)
