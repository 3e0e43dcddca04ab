import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { realTime } from './instants.ts'

/** A stored file, named by its content, so that the same bytes are stored once. */
export const mediaFiles = pgTable('media_files', {
  sha256: text().primaryKey(),
  extension: text({ enum: ['mp3', 'm4a', 'epub'] }).notNull(),
  bytes: integer().notNull(),
  durationMs: integer('duration_ms'),
  createdAt: realTime('created_at').notNull().defaultNow(),
})

/** `<id>-330.avif|webp|jpg`, `<id>-600.avif|webp`, `<id>-900.avif|webp|jpg`, `<id>-thumb.webp`; `placeholder`: 4×4 colours as 96 hex digits. */
export const covers = pgTable('covers', {
  id: text().primaryKey(),
  placeholder: text().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  createdAt: realTime('created_at').notNull().defaultNow(),
})
