import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { realTime } from './instants.ts'
import type { LogbookValue } from './logbook.ts'
import { staff } from './staff.ts'

/** Imports that staff started in the office. The uploaded files stay in `DATA_DIR/uploads/ID` for some days. */
export const importBatches = pgTable(
  'import_batches',
  {
    id: uuid().primaryKey().defaultRandom(),
    staffId: uuid('staff_id')
      .notNull()
      .references(() => staff.id, { onDelete: 'cascade' }),
    createdAt: realTime('created_at').notNull(),
    updatedAt: realTime('updated_at').notNull(),
    /** `recording`: an upload of one recording for a text, which is no import. */
    state: text({
      enum: ['uploading', 'reading', 'found', 'importing', 'done', 'failed', 'recording'],
    }).notNull(),
    /** What the importer found, then what it did, title by title. */
    report: jsonb().$type<readonly LogbookValue[]>().notNull().default([]),
    /** Titles that the running import is done with. */
    doneCount: integer('done_count').notNull().default(0),
    problem: text(),
  },
  (table) => [index('import_batches_staff').on(table.staffId, table.createdAt.desc())],
)
