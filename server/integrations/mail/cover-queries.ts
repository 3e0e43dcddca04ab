import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { coverPath } from '../media/paths.ts'

/** A cover in an email, with a link to the title's page. */
export interface MailCover {
  readonly picture: string
  /** Height divided by width. */
  readonly ratio: number
  readonly title: string
  readonly to: string
}

interface CoverRow extends Record<string, unknown> {
  readonly id: number
  readonly title: string
  readonly slug: string
  readonly format: 'audio_book' | 'e_book'
  readonly cover_id: string
  readonly width: number
  readonly height: number
}

const COLUMNS = sql`select b.id, b.title, b.slug, b.format, b.cover_id, c.width, c.height
  from books b join covers c on c.id = b.cover_id`

/** In the order of `bookIds`. Titles without a cover are left out. */
export async function coversOf(db: Db, bookIds: readonly number[]): Promise<MailCover[]> {
  if (bookIds.length === 0) return []
  const { rows } = await db.execute<CoverRow>(sql`${COLUMNS} where b.id in ${[...new Set(bookIds)]}`)
  return rows.toSorted((one, other) => bookIds.indexOf(one.id) - bookIds.indexOf(other.id)).map(mailCoverOf)
}

/** Some of this month's free audiobooks. Only those that are sold everywhere: an email doesn't know where it is read. */
export async function coversOfFreeAudiobooks(db: Db): Promise<MailCover[]> {
  const { rows } = await db.execute<CoverRow>(
    sql`${COLUMNS} where b.second_edition and b.sellable and b.format = 'audio_book' and b.blocked_countries = '{}'
      order by b.listed_at desc, b.id desc limit 4`,
  )
  return rows.map(mailCoverOf)
}

const mailCoverOf = ({ title, slug, format, cover_id, width, height }: CoverRow): MailCover => ({
  picture: `/media/${coverPath(cover_id, '330.jpg')}`,
  ratio: height / width,
  title,
  to: `/${format === 'audio_book' ? 'audiobooks' : 'ebooks'}/${slug}`,
})
