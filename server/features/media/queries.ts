import { sql } from 'drizzle-orm'
import type { Tier } from '#contract/plans.ts'
import type { Db } from '../../db/open.ts'

/** Undefined if this is not the book's sample, or the sample may not be played. */
export async function selectSample(db: Db, bookId: number, sha256: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ extension: string }>(sql`
    select m.extension from books b join media_files m on m.sha256 = b.sample_id
    where b.id = ${bookId} and b.sample_id = ${sha256} and b.published and b.sellable is not null`)
  return rows[0]?.extension
}

export interface StoredFile {
  readonly sha256: string
  readonly extension: string
  readonly bytes: number
}

export interface OwnedSound extends Record<string, unknown> {
  title: string
  slug: string
  authors: string[]
  narrators: string[]
  publisher: string | null
  coverId: string | null
  chapters: (StoredFile & { number: number; title: string; durationMs: number })[]
}

export async function selectOwnedSound(
  db: Db,
  userId: string,
  bookId: number,
): Promise<OwnedSound | undefined> {
  const people = (role: 'author' | 'narrator') => sql`coalesce((
      select json_agg(trim(p.first_name || ' ' || p.last_name) order by w.position)
      from book_people w join people p on p.id = w.person_id where w.book_id = b.id and w.role = ${role}), '[]'::json)`
  const { rows } = await db.execute<OwnedSound>(sql`
    select b.title, b.slug, b.cover_id as "coverId", ${people('author')} as authors, ${people('narrator')} as narrators,
      (select name from publishers where id = b.publisher_id) as publisher, coalesce((select json_agg(json_build_object('number', c.number, 'title', c.title, 'durationMs', c.duration_ms,
        'sha256', m.sha256, 'extension', m.extension, 'bytes', m.bytes) order by c.number)
      from chapters c join media_files m on m.sha256 = c.sound_id where c.book_id = b.id), '[]'::json) as chapters
    from library_entries l join books b on b.id = l.book_id
    where l.user_id = ${userId}::uuid and l.book_id = ${bookId}`)
  return rows[0]
}

interface OwnedFile extends Record<string, unknown> {
  title: string
  sha256: string
  extension: string
}

export async function selectOwnedFile(
  db: Db,
  userId: string,
  bookId: number,
): Promise<OwnedFile | undefined> {
  const { rows } = await db.execute<OwnedFile>(sql`
    select b.title, m.sha256, m.extension
    from library_entries l join books b on b.id = l.book_id
      join media_files m on m.sha256 = case when b.made_after_purchase then l.file_id else b.file_id end
    where l.user_id = ${userId}::uuid and l.book_id = ${bookId} and b.downloadable`)
  return rows[0]
}

/** Undefined for a member-only recording. */
export async function selectOpenRecording(db: Db, sha256: string): Promise<string | undefined> {
  const { rows } = await db.execute<{ extension: string }>(sql`
    select m.extension from editorial_items e join media_files m on m.sha256 = e.audio_id
    where e.audio_id = ${sha256} and e.published and not e.member_only limit 1`)
  return rows[0]?.extension
}

interface SoundClaims extends Record<string, unknown> {
  readonly owned: boolean
  readonly free: boolean
  /** Of journal items with this recording; null for an item without `minimumTier`. */
  readonly tiers: readonly (Tier | null)[]
}

export async function selectSoundClaims(db: Db, userId: string, sha256: string): Promise<SoundClaims> {
  const { rows } = await db.execute<SoundClaims>(sql`
    select exists (select 1 from library_entries l join chapters c on c.book_id = l.book_id
        where l.user_id = ${userId}::uuid and c.sound_id = ${sha256}) as owned,
      coalesce(bool_or(not e.member_only), false) as free,
      coalesce(json_agg(e.minimum_tier) filter (where e.member_only), '[]'::json) as tiers
    from editorial_items e where e.audio_id = ${sha256} and e.published`)
  return rows[0]!
}
