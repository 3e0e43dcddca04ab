import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

export interface PersonRow extends Record<string, unknown> {
  id: number
  slug: string
  first_name: string
  last_name: string
  nationality: string | null
  about: string | null
  written_audio_books: number
  written_e_books: number
  read_audio_books: number
  /** Has a book that is not a draft, listed or not. */
  known: boolean
}

/** Numbers of listed books. A book that credits a person twice counts once. */
export async function selectPerson(db: Db, slug: string): Promise<PersonRow | undefined> {
  const { rows } = await db.execute<PersonRow>(sql`
    select p.id, p.slug, p.first_name, p.last_name, nullif(coalesce(p.about_by_office, p.about), '') as about, n.title as nationality,
      count(distinct b.id) filter (where bp.role = 'author' and b.format = 'audio_book' and b.sellable is not null)::int as written_audio_books,
      count(distinct b.id) filter (where bp.role = 'author' and b.format = 'e_book' and b.sellable is not null)::int as written_e_books,
      count(distinct b.id) filter (where bp.role = 'narrator' and b.format = 'audio_book' and b.sellable is not null)::int as read_audio_books,
      count(b.id) > 0 as known
    from people p left join nationalities n on n.id = p.nationality_id
      left join book_people bp on bp.person_id = p.id
      left join books b on b.id = bp.book_id and coalesce(b.state_by_command, b.state) <> 'draft'
    where p.slug = ${slug} group by p.id, n.title`)
  return rows[0]
}
