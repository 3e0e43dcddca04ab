import { jsonb, pgTable, text } from 'drizzle-orm/pg-core'
import type { MonthTitle } from '#contract/office/documents.ts'
import { realTime } from './instants.ts'

/** What the office planned for a month. The latest one that has begun decides which titles are editions and highlights. */
export const months = pgTable('months', {
  /** `2026-12`, in the shop's time zone. */
  month: text().primaryKey(),
  highlights: jsonb().$type<MonthTitle[]>().notNull(),
  editions: jsonb().$type<MonthTitle[]>().notNull(),
  /** When its titles became current. */
  startedAt: realTime('started_at'),
})
