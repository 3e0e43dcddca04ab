import { boolean, check, jsonb, pgTable, smallint, text } from 'drizzle-orm/pg-core'
import type { ShopFile } from '#contract/shop-details.ts'
import { realTime } from './instants.ts'
import { sql } from 'drizzle-orm'

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
