import { sql } from 'drizzle-orm'
import {
  type AnyPgColumn,
  customType,
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { covers, mediaFiles } from './media.ts'
import { people } from './people.ts'
import { businessTime, realTime } from './instants.ts'
import type { LogbookValue } from './logbook.ts'

const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' })

export const styles = pgTable('styles', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  title: text().notNull().unique(),
})

export const categories = pgTable('categories', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull().unique(),
  visible: boolean().notNull().default(true),
  weight: integer().notNull().default(0),
})

export const locations = pgTable('locations', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  title: text().notNull().unique(),
})

export const tags = pgTable('tags', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  title: text().notNull().unique(),
})

export const languages = pgTable('languages', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  title: text().notNull().unique(),
})

export const publishers = pgTable('publishers', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  slug: text().notNull().unique(),
  name: text().notNull(),
  about: text(),
  website: text(),
  /** Set in the office: null follows the folder, and an empty text says nothing. */
  aboutByOffice: text('about_by_office'),
  websiteByOffice: text('website_by_office'),
})

/** `listed`: has a page and appears in lists, but cannot be bought. `retired`: only visible to its owners. */
export const STATES = ['draft', 'listed', 'on-sale', 'retired'] as const
export type State = (typeof STATES)[number]

export type SourceValues = Readonly<Record<string, LogbookValue>>

/** Both formats of a work share a table, because they share nearly every column and filter. */
export const books = pgTable(
  'books',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    format: text({ enum: ['audio_book', 'e_book'] }).notNull(),
    slug: text().notNull(),
    title: text().notNull(),
    counterpartId: integer('counterpart_id').references((): AnyPgColumn => books.id, {
      onDelete: 'set null',
    }),

    priceMinor: integer('price_minor').notNull(),
    /** Null: 80% of the price, rounded up to 10p (docs/product.md, Money). */
    memberPriceMinor: integer('member_price_minor'),

    published: boolean().notNull().default(true),
    embargoed: boolean().notNull().default(false),
    state: text({ enum: STATES }).notNull().default('on-sale'),
    /** The state that the owner set by a command or in the office. It overrides the source until they remove it (null). */
    stateByCommand: text('state_by_command', { enum: STATES }),
    /** Imports do not change these: `price`, `title`, `file`, `chapter 3`, … (`features/catalogue/owners-fields.ts`). */
    setByOwner: text('set_by_owner')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    /** What the folder or catalogue says about the fields of `set_by_owner`, so that the owner can go back to it. */
    sourceValues: jsonb('source_values').$type<SourceValues>().notNull().default({}),
    /** A buyer gets sound, text or something that its owner delivers otherwise (`importer/desired.ts`). */
    deliverable: boolean().notNull().default(true),
    /** Publication day. Until there is something to deliver, the title is announced but not sold. */
    preorder: date({ mode: 'string' }),
    withheld: boolean().notNull().default(false),
    /** False: listed after everything that can be bought. Null: in no list. Generated for index-only lists. */
    sellable: boolean().generatedAlwaysAs(
      sql`case when coalesce(state_by_command, state) in ('draft', 'retired') or embargoed or withheld then null
        else published and deliverable and coalesce(state_by_command, state) = 'on-sale' end`,
    ),
    blockedCountries: text('blocked_countries')
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    edition: boolean().notNull().default(false),
    secondEdition: boolean('second_edition').notNull().default(false),
    /** Places in the month's lists (`features/months`); null for titles that no month orders. */
    editionPosition: integer('edition_position'),
    highlightPosition: integer('highlight_position'),
    memoir: boolean().notNull().default(false),
    writersDilemma: boolean('writers_dilemma').notNull().default(false),
    featuredPosition: integer('featured_position'),
    availableAsCard: boolean('available_as_card').notNull().default(false),
    /** The sentences of the e-book are found in the audiobook: of both formats, stored by the analysis. */
    inStep: boolean('in_step').notNull().default(false),
    hideDownload: boolean('hide_download').notNull().default(false),
    violence: boolean().notNull().default(false),

    /** HTML, sanitised on write. */
    summary: text().notNull().default(''),
    sampleText: text('sample_text'),
    /** What one of the shop's booksellers says about it, and who that is. */
    booksellerWords: text('bookseller_words'),
    booksellerName: text('bookseller_name'),
    coverId: text('cover_id').references(() => covers.id),
    coverAlt: text('cover_alt').notNull().default(''),
    backgroundColour: text('background_colour'),
    containerColour: text('container_colour'),
    textColour: text('text_colour'),
    publisherBookLink: text('publisher_book_link'),
    publisherBookName: text('publisher_book_name'),
    metaDescription: text('meta_description'),
    metaKeywords: text('meta_keywords'),

    /** Accessibility of an e-book in schema.org's terms (`importer/accessibility.ts`); empty if unknown. */
    accessibility: text()
      .array()
      .notNull()
      .default(sql`'{}'::text[]`),
    accessibilitySummary: text('accessibility_summary'),

    firstPublished: date('first_published', { mode: 'string' }),
    /** From the catalogue, not the sum of the chapters (docs/product.md, Calls). */
    lengthMinutes: integer('length_minutes'),
    pages: integer(),
    spiSin: text('spi_sin'),
    /** ISBN-13 of this format; never sent to clients. */
    isbn: text(),
    /** The catalogue record it came from: `librivox:47`. */
    sourceId: text('source_id'),
    /** The folder, with `/./` at the end of the imported root; for a catalogue's title, the file. */
    importedFrom: text('imported_from'),

    languageId: integer('language_id').references(() => languages.id),
    translatorId: integer('translator_id').references(() => people.id),
    publisherId: integer('publisher_id').references(() => publishers.id),
    categoryId: integer('category_id').references(() => categories.id),
    styleId: integer('style_id').references(() => styles.id),

    sampleId: text('sample_id').references(() => mediaFiles.sha256),
    fileId: text('file_id').references(() => mediaFiles.sha256),
    madeAfterPurchase: boolean('made_after_purchase').notNull().default(false),
    /** False: owners are told that the publisher offers no file (BOOK-18). */
    downloadable: boolean().notNull().default(true),

    /** Copies from other tables, maintained by `server/features/search`: one index serves all filter combinations. */
    locationIds: integer('location_ids')
      .array()
      .notNull()
      .default(sql`'{}'::int[]`),
    nationalityIds: integer('nationality_ids')
      .array()
      .notNull()
      .default(sql`'{}'::int[]`),
    searchText: tsvector('search_text'),
    /** Hash of the last import's data, so that a second run changes nothing. */
    importHash: text('import_hash'),
    listedAt: realTime('listed_at').notNull().defaultNow(),
    updatedAt: realTime('updated_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('books_format_slug').on(table.format, table.slug),
    uniqueIndex('books_spi_sin').on(table.spiSin),
    uniqueIndex('books_isbn').on(table.isbn),
    uniqueIndex('books_source').on(table.sourceId),
    // The order of lists, newest first; the indexes below narrow it by one filter each.
    index('books_listing').on(table.format, table.sellable.desc(), table.listedAt.desc(), table.id.desc()),
    index('books_style').on(
      table.format,
      table.styleId,
      table.sellable.desc(),
      table.listedAt.desc(),
      table.id.desc(),
    ),
    index('books_category').on(
      table.format,
      table.categoryId,
      table.sellable.desc(),
      table.listedAt.desc(),
      table.id.desc(),
    ),
    index('books_publisher').on(
      table.format,
      table.publisherId,
      table.sellable.desc(),
      table.listedAt.desc(),
      table.id.desc(),
    ),
    // All columns that combined filters need, in list order: counting and paging use the index only.
    index('books_shelf').on(
      table.format,
      table.sellable.desc(),
      table.listedAt.desc(),
      table.id.desc(),
      table.styleId,
      table.categoryId,
      table.publisherId,
      table.lengthMinutes,
      table.pages,
      table.locationIds,
      table.nationalityIds,
    ),
    index('books_length').on(table.format, table.lengthMinutes),
    index('books_pages').on(table.format, table.pages),
    index('books_search').using('gin', table.searchText),
    index('books_memoir')
      .on(table.format, table.sellable.desc(), table.listedAt.desc(), table.id.desc())
      .where(sql`memoir`),
    index('books_writers_dilemma')
      .on(table.format, table.sellable.desc(), table.listedAt.desc(), table.id.desc())
      .where(sql`writers_dilemma`),
    index('books_counterpart').on(table.counterpartId),
    index('books_second_edition')
      .on(table.sellable.desc(), table.listedAt.desc(), table.id.desc())
      .where(sql`second_edition`),
    index('books_edition')
      .on(table.sellable.desc(), table.listedAt.desc(), table.id.desc())
      .where(sql`edition`),
    index('books_card')
      .on(table.sellable.desc(), table.listedAt.desc(), table.id.desc())
      .where(sql`available_as_card`),
    index('books_in_step')
      .on(table.format, table.sellable.desc(), table.listedAt.desc(), table.id.desc())
      .where(sql`in_step`)
      .concurrently(),
    index('books_featured')
      .on(table.featuredPosition)
      .where(sql`featured_position is not null`),
    // The office's lists: their orders, words, states and gaps.
    index('books_by_title')
      .on(sql`lower(${table.title})`, table.id)
      .concurrently(),
    index('books_by_price').on(table.priceMinor, table.id).concurrently(),
    index('books_by_added').on(table.listedAt, table.id).concurrently(),
    index('books_by_state')
      .on(sql`coalesce(${table.stateByCommand}, ${table.state})`, table.id)
      .concurrently(),
    index('books_incomplete')
      .on(table.id)
      .where(sql`${table.sellable} is not true or ${table.coverId} is null or ${table.summary} = ''`)
      .concurrently(),
    index('books_words')
      .using(
        'gin',
        sql`lower(${table.title} || ' ' || ${table.slug} || ' ' || coalesce(${table.isbn}, '')) gin_trgm_ops`,
      )
      .concurrently(),
    check('books_format', sql`${table.format} in ('audio_book', 'e_book')`),
    check('books_state', sql`${table.state} in ('draft', 'listed', 'on-sale', 'retired')`),
    check(
      'books_state_by_command',
      sql`${table.stateByCommand} in ('draft', 'listed', 'on-sale', 'retired')`,
    ),
    check('books_price', sql`${table.priceMinor} >= 0`),
    check('books_member_price', sql`${table.memberPriceMinor} between 0 and ${table.priceMinor}`),
  ],
)

export const bookPeople = pgTable(
  'book_people',
  {
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id, { onDelete: 'cascade' }),
    role: text({ enum: ['author', 'narrator'] }).notNull(),
    position: integer().notNull(),
    personId: integer('person_id')
      .notNull()
      .references(() => people.id),
  },
  (table) => [
    primaryKey({ columns: [table.bookId, table.role, table.position] }),
    index('book_people_person').on(table.personId, table.role),
  ],
)

export const bookLocations = pgTable(
  'book_locations',
  {
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id, { onDelete: 'cascade' }),
    locationId: integer('location_id')
      .notNull()
      .references(() => locations.id),
  },
  (table) => [
    primaryKey({ columns: [table.bookId, table.locationId] }),
    index('book_locations_location').on(table.locationId),
  ],
)

export const bookTags = pgTable(
  'book_tags',
  {
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id, { onDelete: 'cascade' }),
    tagId: integer('tag_id')
      .notNull()
      .references(() => tags.id),
  },
  (table) => [primaryKey({ columns: [table.bookId, table.tagId] }), index('book_tags_tag').on(table.tagId)],
)

/** `number` is the API's `chapterOrderNumber`; the length is measured. */
export const chapters = pgTable(
  'chapters',
  {
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id, { onDelete: 'cascade' }),
    number: integer().notNull(),
    title: text().notNull(),
    durationMs: integer('duration_ms').notNull(),
    soundId: text('sound_id')
      .notNull()
      .references(() => mediaFiles.sha256),
  },
  (table) => [primaryKey({ columns: [table.bookId, table.number] })],
)

/** A picture that a catalogue names. It is not fetched, but imported from a folder later. */
export const pictureSteps = pgTable(
  'picture_steps',
  {
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id, { onDelete: 'cascade' }),
    source: text().notNull(),
    state: text({ enum: ['waiting', 'done', 'failed'] })
      .notNull()
      .default('waiting'),
    reason: text(),
    attempts: integer().notNull().default(0),
    updatedAt: realTime('updated_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.bookId, table.source] })],
)

/** A price for later: the job `prices` sets it when it starts, and the one before it when it ends. */
export const priceChanges = pgTable(
  'price_changes',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    bookId: integer('book_id')
      .notNull()
      .references(() => books.id, { onDelete: 'cascade' }),
    priceMinor: integer('price_minor').notNull(),
    memberPriceMinor: integer('member_price_minor'),
    startsAt: businessTime('starts_at').notNull(),
    /** Null: it stays. */
    endsAt: businessTime('ends_at'),
    startedAt: businessTime('started_at'),
    /** Ended, or given up before it started. */
    endedAt: businessTime('ended_at'),
    /** What it replaced when it started. */
    before: jsonb().$type<LogbookValue>(),
  },
  (table) => [
    index('price_changes_book').on(table.bookId),
    index('price_changes_open')
      .on(table.startsAt)
      .where(sql`${table.endedAt} is null`),
    check(
      'price_changes_price',
      sql`${table.priceMinor} >= 0 and coalesce(${table.memberPriceMinor} between 0 and ${table.priceMinor}, true)`,
    ),
  ],
)
