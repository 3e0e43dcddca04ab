import { sql } from 'drizzle-orm'
import type { InStepPart } from '#contract/calculations/in-step.ts'
import type { Db } from '../../db/open.ts'

interface InStepTitle extends Record<string, unknown> {
  readonly bookId: number
  readonly title: string
  readonly sampleId: string | null
  /** The file of the e-book of the same work. */
  readonly textId: string | null
  readonly eBook: string | null
  readonly isShown: boolean
  /** Both formats. */
  readonly isDownloadable: boolean
  readonly ownsSound: boolean
  readonly ownsText: boolean
}

/** Undefined for an unknown audiobook. `userId` is null for visitors. */
export async function selectInStepTitle(
  db: Db,
  slug: string,
  userId: string | null,
): Promise<InStepTitle | undefined> {
  const owns = (bookId: ReturnType<typeof sql>) => sql`exists (select from library_entries l
    where l.user_id = ${userId}::uuid and l.book_id = ${bookId})`
  const { rows } = await db.execute<InStepTitle>(sql`
    select b.id as "bookId", b.title, b.sample_id as "sampleId", e.file_id as "textId", e.slug as "eBook",
      b.published and b.sellable is not null as "isShown",
      b.downloadable and coalesce(e.downloadable, false) as "isDownloadable",
      ${owns(sql`b.id`)} as "ownsSound", ${owns(sql`e.id`)} as "ownsText"
    from books b left join books e on e.id = b.counterpart_id and not e.made_after_purchase
    where b.format = 'audio_book' and b.slug = ${slug}`)
  return rows[0]
}

interface InStepRow extends Record<string, unknown> {
  readonly number: number
  readonly title: string
  readonly durationMs: number
  readonly sound: string
  readonly loudness: number | null
  readonly silences: Buffer | null
  readonly source: InStepPart['source']
  readonly times: Buffer | null
  readonly words: Buffer | null
  readonly takesOverlays: boolean
}

export async function selectInStepChapters(
  db: Db,
  bookId: number,
  textId: string | null,
  number?: number,
): Promise<InStepRow[]> {
  const { rows } = await db.execute<InStepRow>(sql`
    select c.number, c.title, c.duration_ms as "durationMs", c.sound_id as sound, s.loudness, s.silences, a.source, a.times, a.words,
      coalesce((a.report ->> 'takesOverlays')::boolean, false) as "takesOverlays"
    from chapters c left join sound_analyses s on s.sound_id = c.sound_id
      left join alignments a on a.sound_id = c.sound_id and a.text_id = ${textId}
    where c.book_id = ${bookId} ${number === undefined ? sql`` : sql`and c.number = ${number}`}
    order by c.number`)
  return rows
}

export async function selectSampleSentences(
  db: Db,
  sampleId: string,
  textId: string,
): Promise<Pick<InStepRow, 'times' | 'words' | 'source'> | undefined> {
  const { rows } = await db.execute<Pick<InStepRow, 'times' | 'words' | 'source'>>(sql`
    select source, times, words from alignments where sound_id = ${sampleId} and text_id = ${textId}`)
  return rows[0]
}

interface SpokenTitle extends Record<string, unknown> {
  readonly bookId: number
  readonly title: string
  readonly textId: string
  readonly chapters: readonly {
    readonly number: number
    readonly sha256: string
    readonly extension: string
    readonly durationMs: number
  }[]
}

/** Of a title whose owner has both formats and may download them, with chapters whose sentences were found. */
export async function selectSpokenTitle(
  db: Db,
  userId: string,
  book: { readonly slug: string } | { readonly id: number },
): Promise<SpokenTitle | undefined> {
  const owns = (bookId: ReturnType<typeof sql>) => sql`exists (select from library_entries l
    where l.user_id = ${userId}::uuid and l.book_id = ${bookId})`
  const { rows } = await db.execute<SpokenTitle>(sql`
    select b.id as "bookId", b.title, e.file_id as "textId",
      (select json_agg(json_build_object('number', c.number, 'sha256', m.sha256, 'extension', m.extension,
          'durationMs', c.duration_ms) order by c.number)
        from chapters c join media_files m on m.sha256 = c.sound_id
          join alignments a on a.sound_id = c.sound_id and a.text_id = e.file_id and a.source <> 'estimated'
        where c.book_id = b.id) as chapters
    from books b join books e on e.id = b.counterpart_id and not e.made_after_purchase and e.file_id is not null
    where b.format = 'audio_book' and ${'slug' in book ? sql`b.slug = ${book.slug}` : sql`b.id = ${book.id}`}
      and b.downloadable and e.downloadable and ${owns(sql`b.id`)} and ${owns(sql`e.id`)}`)
  return rows[0]?.chapters ? rows[0] : undefined
}
