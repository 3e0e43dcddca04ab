import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core'

/** Identifies the key that this shop's codes are hashed with, by a hash of the key. Always one row. */
export const codeKey = pgTable(
  'code_key',
  {
    only: boolean().primaryKey().default(true),
    fingerprint: text().notNull(),
  },
  (table) => [check('code_key_only_one', sql`${table.only}`)],
)
