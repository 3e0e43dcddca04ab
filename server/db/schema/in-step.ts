import { customType, index, integer, jsonb, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core'
import { books } from './catalogue.ts'
import { realTime } from './instants.ts'
import { mediaFiles } from './media.ts'

const bytea = customType<{ data: Uint8Array; driverData: Buffer }>({
  dataType: () => 'bytea',
  toDriver: (bytes) => Buffer.from(bytes),
})

/** What the analysis measured in a sound file. It goes with the file. */
export const soundAnalyses = pgTable('sound_analyses', {
  soundId: text('sound_id')
    .primaryKey()
    .references(() => mediaFiles.sha256, { onDelete: 'cascade' }),
  /** Of the analysis; an older one is done again. */
  version: integer().notNull(),
  durationMs: integer('duration_ms'),
  /** LUFS. Null for silence, and if the file could not be decoded. */
  loudness: real(),
  /** dBTP. */
  truePeak: real('true_peak'),
  /** `contract/calculations/in-step.ts`, Stretches. */
  silences: bytea().notNull(),
  /** Why the file could not be analysed, for the owner. */
  problem: text(),
  analysedAt: realTime('analysed_at').notNull().defaultNow(),
})

/** Titles whose analysis the owner asked for in the office. */
export const analysisRequests = pgTable('analysis_requests', {
  bookId: integer('book_id')
    .primaryKey()
    .references(() => books.id, { onDelete: 'cascade' }),
  askedAt: realTime('asked_at').notNull(),
})

/** A sound with another volume than the owner's file, which stays in the shop (`features/in-step/even-loudness.ts`). */
export const adjustedSounds = pgTable(
  'adjusted_sounds',
  {
    soundId: text('sound_id')
      .primaryKey()
      .references(() => mediaFiles.sha256, { onDelete: 'cascade' }),
    originalId: text('original_id')
      .notNull()
      .references(() => mediaFiles.sha256),
    /** Of 1.5 dB. */
    steps: integer().notNull(),
  },
  (table) => [index('adjusted_sounds_original').on(table.originalId)],
)

/** A caption of WebVTT or SRT, in hundredths of a second. */
export type Caption = readonly [start: number, end: number, words: string]

/** The captions that an owner put beside a sound file. They go with it. */
export const soundCaptions = pgTable('sound_captions', {
  soundId: text('sound_id')
    .primaryKey()
    .references(() => mediaFiles.sha256, { onDelete: 'cascade' }),
  fileName: text('file_name').notNull(),
  captions: jsonb().$type<readonly Caption[]>().notNull(),
})

export const IN_STEP_SOURCES = ['owner', 'aligned', 'estimated'] as const

/** What is left out of the file for listeners, and shown to the owner. */
export interface AlignmentReport {
  readonly sentences: number
  readonly placed: number
  /** Sentences of the text that were not heard, as far as the report lists them. */
  readonly skipped: readonly string[]
  /** Words that the dictionary lacks: their pronunciation was guessed. */
  readonly unknownWords: readonly string[]
  /** Seconds of speech that the text lacks. */
  readonly extraSeconds: number
  /** Why sentences were estimated, or captions not used. */
  readonly problem: string | null
  /** Of the text: media overlays can be added. Missing in reports before version 3 of the analysis. */
  readonly takesOverlays?: boolean
}

/** Where the sentences of a text are spoken in a sound file. It goes with either file, so another version gets its own. */
export const alignments = pgTable(
  'alignments',
  {
    soundId: text('sound_id')
      .notNull()
      .references(() => mediaFiles.sha256, { onDelete: 'cascade' }),
    textId: text('text_id')
      .notNull()
      .references(() => mediaFiles.sha256, { onDelete: 'cascade' }),
    version: integer().notNull(),
    source: text({ enum: IN_STEP_SOURCES }).notNull(),
    /** `contract/calculations/in-step.ts`, Sentences. */
    times: bytea().notNull(),
    /** Addresses in the EPUB and words, compressed. */
    words: bytea().notNull(),
    report: jsonb().$type<AlignmentReport>().notNull(),
    alignedAt: realTime('aligned_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.soundId, table.textId] })],
)
