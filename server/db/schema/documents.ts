import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { realTime } from './instants.ts'
import { staff } from './staff.ts'

/** What the office edits as a whole: a piece of the Journal, a page, the questions, the menus, the home page, a month. */
export const documents = pgTable(
  'documents',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    kind: text({
      enum: ['home', 'menus', 'faq', 'article', 'interview', 'discussion', 'page', 'newsletter', 'month'],
    }).notNull(),
    /** The slug; of kinds that exist once, the kind. */
    key: text().notNull(),
    /** As in the draft, for lists. */
    title: text().notNull().default(''),
    /** What was typed and is not published; null if nothing differs. */
    draft: jsonb(),
    /** Counts what was saved. A save names the version that it began with, so that none overwrites another unseen. */
    version: integer().notNull().default(0),
    savedAt: realTime('saved_at'),
    savedBy: text('saved_by'),
    publishAt: realTime('publish_at'),
    /** First published in the office: an import leaves it alone from then on. */
    setHereAt: realTime('set_here_at'),
    /** What the folder says, if that differs from what the shop shows. */
    folder: jsonb(),
    binnedAt: realTime('binned_at'),
  },
  (table) => [
    uniqueIndex('documents_kind_key').on(table.kind, table.key),
    index('documents_publish_at').on(table.publishAt),
  ],
)

export const documentVersions = pgTable(
  'document_versions',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    documentId: integer('document_id')
      .notNull()
      .references(() => documents.id, { onDelete: 'cascade' }),
    content: jsonb().notNull(),
    /** `draft`: not published, and replaced by restoring an older version. */
    what: text({ enum: ['published', 'draft'] }).notNull(),
    at: realTime('at').notNull(),
    by: text().notNull(),
  },
  (table) => [index('document_versions_document').on(table.documentId)],
)

/** Which document each member of staff has open in the office (`page about`). Rows older than a minute are stale. */
export const staffPresence = pgTable(
  'staff_presence',
  {
    thing: text().notNull(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staff.id, { onDelete: 'cascade' }),
    seenAt: realTime('seen_at').notNull(),
    /** When they last typed. */
    typedAt: realTime('typed_at'),
  },
  (table) => [primaryKey({ columns: [table.thing, table.staffId] })],
)
