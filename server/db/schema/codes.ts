import { sql } from 'drizzle-orm'
import { boolean, check, pgTable, text } from 'drizzle-orm/pg-core'

export const codeKey = pgTable(
  'code_key',
  {
    only: boolean().primaryKey().default(true),
    fingerprint: text().notNull(),
  },
  (table) => [check('code_key_only_one', sql`${table.only}`)],
)
