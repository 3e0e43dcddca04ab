import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

export interface ChapterLoudness extends Record<string, unknown> {
  readonly number: number
  readonly title: string
  /** What listeners get: the original, or a file with another volume. */
  readonly soundId: string
  readonly originalId: string
  readonly extension: string
  /** Of the file that listeners get, from the original. */
  readonly steps: number
  /** Of the original. */
  readonly loudness: number | null
  readonly truePeak: number | null
}

export async function selectLoudness(db: Db, bookId: number): Promise<ChapterLoudness[]> {
  const { rows } = await db.execute<ChapterLoudness>(sql`
    select c.number, c.title, c.sound_id as "soundId", o.sha256 as "originalId", o.extension,
      coalesce(a.steps, 0) as steps, s.loudness, s.true_peak as "truePeak"
    from chapters c left join adjusted_sounds a on a.sound_id = c.sound_id
      join media_files o on o.sha256 = coalesce(a.original_id, c.sound_id)
      left join sound_analyses s on s.sound_id = o.sha256
    where c.book_id = ${bookId} order by c.number`)
  return rows
}

interface AdjustedSound {
  readonly sha256: string
  readonly bytes: number
  readonly originalId: string
  readonly steps: number
  readonly loudness: number | null
  readonly truePeak: number | null
}

/** With what the analysis found in the original: only its volume differs. */
export async function insertAdjustedSound(
  db: Db,
  { sha256, bytes, originalId, steps, loudness, truePeak }: AdjustedSound,
): Promise<void> {
  await db.execute(sql`
    insert into media_files (sha256, extension, bytes, duration_ms)
    select ${sha256}, extension, ${bytes}, duration_ms from media_files where sha256 = ${originalId}
    on conflict do nothing`)
  await db.execute(sql`
    insert into adjusted_sounds (sound_id, original_id, steps) values (${sha256}, ${originalId}, ${steps})
    on conflict (sound_id) do update set original_id = excluded.original_id, steps = excluded.steps`)
  await db.execute(sql`
    insert into sound_analyses (sound_id, version, duration_ms, loudness, true_peak, silences, problem)
    select ${sha256}, version, duration_ms, ${loudness}::real, ${truePeak}::real, silences, problem
    from sound_analyses where sound_id = ${originalId}
    on conflict do nothing`)
  await db.execute(sql`
    insert into alignments (sound_id, text_id, version, source, times, words, report)
    select ${sha256}, text_id, version, source, times, words, report
    from alignments where sound_id = ${originalId}
    on conflict do nothing`)
}

/** False if the chapter has another sound by now. */
export async function updateChapterSound(
  db: Db,
  {
    bookId,
    number,
    from,
    to,
  }: { readonly bookId: number; readonly number: number; readonly from: string; readonly to: string },
): Promise<boolean> {
  const { rowCount } = await db.execute(sql`
    update chapters set sound_id = ${to} where book_id = ${bookId} and number = ${number} and sound_id = ${from}`)
  await db.execute(sql`update books set updated_at = now() where id = ${bookId}`)
  return rowCount === 1
}
