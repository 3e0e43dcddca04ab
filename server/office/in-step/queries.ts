import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { analysisRequests, type alignments } from '../../db/schema/in-step.ts'

export async function selectAudiobook(db: Db, slug: string) {
  const { rows } = await db.execute<{ id: number; title: string; hasText: boolean; isAsked: boolean }>(sql`
    select b.id, b.title, e.file_id is not null as "hasText",
      exists (select from analysis_requests r where r.book_id = b.id) as "isAsked"
    from books b left join books e on e.id = b.counterpart_id and not e.made_after_purchase
    where b.format = 'audio_book' and b.slug = ${slug}`)
  return rows[0]
}

interface AnalysedRow extends Record<string, unknown> {
  readonly number: number
  readonly title: string
  readonly loudness: number | null
  readonly truePeak: number | null
  readonly problem: string | null
  readonly source: (typeof alignments.$inferSelect)['source'] | null
  readonly report: (typeof alignments.$inferSelect)['report'] | null
}

export async function selectAnalysedChapters(db: Db, bookId: number): Promise<AnalysedRow[]> {
  const { rows } = await db.execute<AnalysedRow>(sql`
    select c.number, c.title, s.loudness, s.true_peak as "truePeak", s.problem, a.source, a.report
    from books b left join books e on e.id = b.counterpart_id and not e.made_after_purchase
      join chapters c on c.book_id = b.id
      left join sound_analyses s on s.sound_id = c.sound_id
      left join alignments a on a.sound_id = c.sound_id and a.text_id = e.file_id
    where b.id = ${bookId} order by c.number`)
  return rows
}

export async function insertAnalysisRequest(db: Db, bookId: number, askedAt: Date): Promise<void> {
  await db.insert(analysisRequests).values({ bookId, askedAt }).onConflictDoNothing()
}
