import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import type { ShopPart } from '#contract/shop-details.ts'
import { books } from './catalogue.ts'
import { realTime } from './instants.ts'

export const infoPages = pgTable('info_pages', {
  slug: text().primaryKey(),
  title: text().notNull(),
  /** HTML, sanitised on write. */
  content: text().notNull(),
  /** The part of the shop that the page describes; the page is hidden if that part is disabled. */
  part: text().$type<ShopPart>(),
  importHash: text('import_hash'),
})

export const faqCategories = pgTable('faq_categories', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  name: text().notNull().unique(),
  position: integer().notNull(),
})

export const faqs = pgTable(
  'faqs',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    categoryId: integer('category_id')
      .notNull()
      .references(() => faqCategories.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    question: text().notNull(),
    answer: text().notNull(),
    published: boolean().notNull().default(true),
    part: text().$type<ShopPart>(),
  },
  (table) => [uniqueIndex('faqs_position').on(table.categoryId, table.position)],
)

/** `group` as in HDR-04 and HDR-05. */
export const menuEntries = pgTable(
  'menu_entries',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    menu: text({ enum: ['main', 'search'] }).notNull(),
    group: text().notNull(),
    position: integer().notNull(),
    title: text().notNull(),
    url: text().notNull(),
    style: text(),
    hidden: boolean().notNull().default(false),
  },
  (table) => [index('menu_entries_order').on(table.menu, table.position)],
)

export const homePanels = pgTable('home_panels', {
  section: text().primaryKey(),
  title: text().notNull(),
  weight: integer().notNull(),
  visible: boolean().notNull().default(true),
  seenBy: text('seen_by', { enum: ['everyone', 'visitors', 'accounts', 'members'] })
    .notNull()
    .default('everyone'),
  shownFrom: realTime('shown_from'),
  shownUntil: realTime('shown_until'),
  /** Whether the public answers were last made with it; the job `content` compares it with the times above. */
  wasInTime: boolean('was_in_time').notNull().default(true),
  /** Slugs in their order; null for the titles that are marked for this panel. */
  titles: text().array(),
})

export const staffPicks = pgTable('staff_picks', {
  id: integer().primaryKey().generatedByDefaultAsIdentity(),
  position: integer().notNull().unique(),
  visible: boolean().notNull().default(true),
  title: text().notNull(),
  description: text().notNull(),
  author: text().notNull(),
  bookId: integer('book_id').references(() => books.id, { onDelete: 'set null' }),
})

/** `home`, `membership`, `promo`, `settings`. */
export const contentRecords = pgTable('content_records', {
  name: text().primaryKey(),
  content: jsonb().notNull(),
})

export const newsletterSubscribers = pgTable(
  'newsletter_subscribers',
  {
    email: text().primaryKey(),
    token: uuid().notNull().defaultRandom(),
    subscribedAt: realTime('subscribed_at').notNull().defaultNow(),
    /** When the link of the email was used; before that, nothing is sent to the address. */
    confirmedAt: realTime('confirmed_at'),
  },
  (table) => [index('newsletter_subscribers_token').on(table.token)],
)
