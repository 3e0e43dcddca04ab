import { getPerson } from '#contract/people.ts'
import { notFound } from '../../http/http-errors.ts'
import { serve, type ApiServer } from '../../http/serve.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'

export function registerPeople(server: ApiServer): void {
  serve(server, getPerson, async ({ params }) => {
    const row = await selectPerson(server.shop.db, params.slug)
    if (!row?.known) throw notFound()
    const { first_name: firstName, last_name: lastName } = row
    const books = {
      writtenAudioBooks: row.written_audio_books,
      writtenEBooks: row.written_e_books,
      readAudioBooks: row.read_audio_books,
    }
    return {
      '@context': '/api/contexts/Person',
      '@id': `/api/people/${row.slug}`,
      '@type': 'Person' as const,
      id: row.id,
      slug: row.slug,
      firstName,
      lastName,
      fullName: `${firstName} ${lastName}`.trim(),
      nationality: row.nationality,
      ...books,
    }
  })
}

interface PersonRow extends Record<string, unknown> {
  id: number
  slug: string
  first_name: string
  last_name: string
  nationality: string | null
  written_audio_books: number
  written_e_books: number
  read_audio_books: number
  /** Has a book that is not a draft, listed or not. */
  known: boolean
}

/** Numbers of listed books. A book that credits a person twice counts once. */
async function selectPerson(db: Db, slug: string): Promise<PersonRow | undefined> {
  const { rows } = await db.execute<PersonRow>(sql`
    select p.id, p.slug, p.first_name, p.last_name, n.title as nationality,
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
