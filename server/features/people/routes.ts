import { getPerson } from '#contract/people.ts'
import { notFound } from '../../http/http-errors.ts'
import { serve, type ApiServer } from '../../http/serve.ts'
import { selectPerson } from './queries.ts'

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
