import { sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { coverPath } from '../media/paths.ts'

/** A cover in an email, with a link to the title's page or to choosing it. */
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
export async function coversOf(db: Db, bookIds: readonly number[], linkTo = pageOf): Promise<MailCover[]> {
  if (bookIds.length === 0) return []
  const { rows } = await db.execute<CoverRow>(sql`${COLUMNS} where b.id in ${[...new Set(bookIds)]}`)
  return rows
    .toSorted((one, other) => bookIds.indexOf(one.id) - bookIds.indexOf(other.id))
    .map((row) => ({
      picture: `/media/${coverPath(row.cover_id, '330.jpg')}`,
      ratio: row.height / row.width,
      title: row.title,
      to: linkTo(row),
    }))
}

/** The same, each linked to the question whether to choose it as the free audiobook. */
export const coversToChoose = (db: Db, bookIds: readonly number[]): Promise<MailCover[]> =>
  coversOf(db, bookIds, ({ slug }) => `/subscriber-selection?choose=${slug}`)

const pageOf = ({ format, slug }: CoverRow): string =>
  `/${format === 'audio_book' ? 'audiobooks' : 'ebooks'}/${slug}`
