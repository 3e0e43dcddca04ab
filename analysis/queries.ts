import { eq, sql } from 'drizzle-orm'
import type { Db } from '#server/db/open.ts'
import { alignments, analysisRequests, type Caption, soundAnalyses } from '#server/db/schema/in-step.ts'

/** Increase this when the analysis changes what it finds, so that the next run does everything again. */
export const ANALYSIS_VERSION = 4

export interface SoundToAnalyse {
  readonly sha256: string
  readonly extension: string
  readonly number: number
  readonly title: string
  readonly durationMs: number
  readonly isAnalysed: boolean
  readonly isAligned: boolean
  /** WebVTT or SRT of the owner. */
  readonly captions: { readonly fileName: string; readonly captions: readonly Caption[] } | null
}

export interface TitleToAnalyse extends Record<string, unknown> {
  readonly id: number
  readonly slug: string
  readonly title: string
  readonly language: string | null
  /** The EPUB of the same work, and the sample's own text. */
  readonly textId: string | null
  readonly sampleText: string | null
  readonly chapters: readonly SoundToAnalyse[]
  /** Number 0. */
  readonly sample: SoundToAnalyse | null
}

export async function selectTitleToAnalyse(db: Db, slug: string): Promise<TitleToAnalyse | undefined> {
  const facts = (
    number: ReturnType<typeof sql>,
    title: ReturnType<typeof sql>,
    duration: ReturnType<typeof sql>,
  ) =>
    sql`json_build_object('sha256', m.sha256, 'extension', m.extension, 'number', ${number}, 'title', ${title},
      'durationMs', ${duration},
      'captions', (select json_build_object('fileName', t.file_name, 'captions', t.captions)
        from sound_captions t where t.sound_id = coalesce(
          (select j.original_id from adjusted_sounds j where j.sound_id = m.sha256), m.sha256)),
      'isAnalysed', exists (select from sound_analyses s where s.sound_id = m.sha256 and s.version = ${ANALYSIS_VERSION}),
      'isAligned', exists (select from alignments a
        where a.sound_id = m.sha256 and a.text_id = e.file_id and a.version = ${ANALYSIS_VERSION}))`
  const { rows } = await db.execute<TitleToAnalyse>(sql`
    select b.id, b.slug, b.title, l.title as language, e.file_id as "textId", b.sample_text as "sampleText",
      coalesce((select json_agg(${facts(sql`c.number`, sql`c.title`, sql`c.duration_ms`)} order by c.number)
        from chapters c join media_files m on m.sha256 = c.sound_id where c.book_id = b.id), '[]'::json) as chapters,
      (select ${facts(sql`0`, sql`b.title`, sql`m.duration_ms`)} from media_files m where m.sha256 = b.sample_id) as sample
    from books b left join books e on e.id = b.counterpart_id and not e.made_after_purchase
      left join languages l on l.id = b.language_id
    where b.format = 'audio_book' and b.slug = ${slug}`)
  return rows[0]
}

/** A title that has waited for so long is analysed on a busy machine, too. */
const PATIENCE = sql`interval '1 day'`

export interface DueTitle extends Record<string, unknown> {
  readonly slug: string
  readonly isAsked: boolean
  /** For a day. */
  readonly hasWaited: boolean
  /** It was asked for, and nothing is new. */
  readonly isAgain: boolean
}

/**
 * The title that the owner asked for, else the newest one with a chapter or sample that is not analysed yet, or not with
 * its present text. On a busy machine only what was asked for or has waited.
 */
export async function selectDueTitle(
  db: Db,
  except: readonly string[],
  { isBusy }: { readonly isBusy: boolean },
): Promise<DueTitle | undefined> {
  const isMissing = (soundId: ReturnType<typeof sql>) => sql`(
    not exists (select from sound_analyses s where s.sound_id = ${soundId} and s.version = ${ANALYSIS_VERSION})
    or e.file_id is not null and not exists (select from alignments a
      where a.sound_id = ${soundId} and a.text_id = e.file_id and a.version = ${ANALYSIS_VERSION}))`
  const isNew = sql`(exists (select from chapters c where c.book_id = b.id and ${isMissing(sql`c.sound_id`)})
    or b.sample_id is not null and e.file_id is not null and ${isMissing(sql`b.sample_id`)})`
  const { rows } = await db.execute<DueTitle>(sql`
    select b.slug, r.book_id is not null as "isAsked", b.updated_at < now() - ${PATIENCE} as "hasWaited", not ${isNew} as "isAgain"
    from books b left join books e on e.id = b.counterpart_id and not e.made_after_purchase
      left join analysis_requests r on r.book_id = b.id
    where b.format = 'audio_book' and b.slug <> all(${sql.param(except)}::text[]) and (r.book_id is not null or ${isNew})
      ${isBusy ? sql`and (r.book_id is not null or b.updated_at < now() - ${PATIENCE})` : sql``}
    order by r.asked_at nulls last, b.id desc limit 1`)
  return rows[0]
}

export async function deleteAnalysisRequest(db: Db, bookId: number): Promise<void> {
  await db.delete(analysisRequests).where(eq(analysisRequests.bookId, bookId))
}

export async function storeSoundAnalysis(db: Db, row: typeof soundAnalyses.$inferInsert): Promise<void> {
  const { soundId: _, ...found } = row
  await db
    .insert(soundAnalyses)
    .values(row)
    .onConflictDoUpdate({ target: soundAnalyses.soundId, set: { ...found, analysedAt: sql`now()` } })
}

export async function storeAlignment(db: Db, row: typeof alignments.$inferInsert): Promise<void> {
  const { soundId: _, textId: __, ...found } = row
  await db
    .insert(alignments)
    .values(row)
    .onConflictDoUpdate({
      target: [alignments.soundId, alignments.textId],
      set: { ...found, alignedAt: sql`now()` },
    })
}

/** Of the sentences of a title that is sold as in step, this share is placed for certain. */
const IN_STEP_SHARE = 0.8

/** On both formats, so that lists and pages read a column. Returns whether it changed. */
export async function storeInStep(db: Db, bookId: number): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    with found as (
      select bool_and(a.sound_id is not null) and sum((a.report ->> 'placed')::int) > 0
        and sum((a.report ->> 'placed')::int) >= ${IN_STEP_SHARE}::real * sum((a.report ->> 'sentences')::int) as "inStep"
      from books b join books e on e.id = b.counterpart_id and not e.made_after_purchase
        join chapters c on c.book_id = b.id
        left join alignments a on a.sound_id = c.sound_id and a.text_id = e.file_id
      where b.id = ${bookId})
    update books set in_step = coalesce(found."inStep", false) from found
    where books.id in (select unnest(array[id, counterpart_id]) from books where id = ${bookId})
      and books.in_step <> coalesce(found."inStep", false)`)
  return (rowCount ?? 0) > 0
}

type ReportRow = Pick<typeof alignments.$inferSelect, 'source' | 'report'> & {
  readonly number: number
  readonly title: string
  readonly durationMs: number
  readonly loudness: number | null
  readonly truePeak: number | null
  readonly problem: string | null
}

/** Of each chapter, as far as it is analysed; `source` and `report` are null without a text. */
export async function selectReport(
  db: Db,
  slug: string,
): Promise<(Omit<ReportRow, 'source' | 'report'> & Partial<Pick<ReportRow, 'source' | 'report'>>)[]> {
  const { rows } = await db.execute<ReportRow & Record<string, unknown>>(sql`
    select c.number, c.title, c.duration_ms as "durationMs", s.loudness, s.true_peak as "truePeak", s.problem,
      a.source, a.report
    from books b left join books e on e.id = b.counterpart_id and not e.made_after_purchase
      join chapters c on c.book_id = b.id
      left join sound_analyses s on s.sound_id = c.sound_id
      left join alignments a on a.sound_id = c.sound_id and a.text_id = e.file_id
    where b.format = 'audio_book' and b.slug = ${slug} order by c.number`)
  return rows
}
