import { jsonb, pgTable, smallint, text, boolean, check, index, integer, uuid } from 'drizzle-orm/pg-core'
import type { ShopFile } from '#contract/shop-details.ts'
import { realTime } from './instants.ts'
import { sql } from 'drizzle-orm'
import { users } from './accounts.ts'

export const shopDetails = pgTable('shop_details', {
  id: smallint().primaryKey(),
  content: jsonb().$type<ShopFile>().notNull(),
  /** Sanitised pictures by name; their bytes are base64. */
  pictures: jsonb().$type<Record<string, StoredPicture>>().notNull(),
  version: text().notNull(),
  /** When the file was last changed. An older file on another machine does not replace it. */
  writtenAt: realTime('written_at').notNull(),
})

export interface StoredPicture {
  readonly type: 'image/svg+xml' | 'image/png'
  readonly ratio: number
  readonly bytes: string
}

export const codeKey = pgTable(
  'code_key',
  {
    only: boolean().primaryKey().default(true),
    fingerprint: text().notNull(),
  },
  (table) => [check('code_key_only_one', sql`${table.only}`)],
)

/** What an operator changed with a command: who, what and why. The row is written before the change. */
export const logbook = pgTable(
  'logbook',
  {
    id: integer().primaryKey().generatedByDefaultAsIdentity(),
    at: realTime('at').notNull(),
    /** The operator's user name on the machine, or the name that they gave. */
    by: text().notNull(),
    /** `orders refund` */
    command: text().notNull(),
    /** `order M-100012`, `title the-two-bells` */
    about: text().notNull(),
    userId: uuid('user_id').references(() => users.id, { onDelete: 'set null' }),
    /** The operator's own words, which may contain personal data: erased when the account is closed. */
    because: text().notNull(),
    what: text().notNull(),
    /** Null while the command runs, and if it crashed. */
    outcome: text({ enum: ['done', 'failed'] }),
  },
  (table) => [index('logbook_about').on(table.about), index('logbook_user').on(table.userId)],
)
