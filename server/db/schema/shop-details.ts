import { jsonb, pgTable, smallint, text, timestamp } from 'drizzle-orm/pg-core'
import type { ShopFile } from '#contract/shop-details.ts'

/** What an owner said of their shop (`shop.json`), for all instances; one row, or none. */
export const shopDetails = pgTable('shop_details', {
  id: smallint().primaryKey(),
  content: jsonb().$type<ShopFile>().notNull(),
  /** Cleaned, by their names; the bytes in base64. */
  pictures: jsonb().$type<Record<string, StoredPicture>>().notNull(),
  version: text().notNull(),
  /** When the file was last changed: an older one, on another machine, does not take its place. */
  writtenAt: timestamp('written_at', { withTimezone: true }).notNull(),
})

export interface StoredPicture {
  readonly type: 'image/svg+xml' | 'image/png'
  readonly ratio: number
  readonly bytes: string
}
